# Compiles the plugin jar with plain javac against the jars of an installed PySpark: no Maven.

option(PENSTOCK_JAR "Build the Spark plugin jar into the wheel" ON)
if(DEFINED ENV{PENSTOCK_JAR})
  set(PENSTOCK_JAR $ENV{PENSTOCK_JAR})
endif()
if(NOT PENSTOCK_JAR)
  message(STATUS "penstock: building without the plugin jar, as PENSTOCK_JAR says")
  return()
endif()

find_package(Java 17 COMPONENTS Development)
if(NOT Java_FOUND)
  message(FATAL_ERROR
    "The Spark plugin jar needs a JDK 17 or newer (javac) and none was found: install one "
    "(Debian, Ubuntu: apt-get install openjdk-17-jdk-headless) or set PENSTOCK_JAR=OFF in the "
    "environment to build without the plugin.")
endif()

execute_process(
  COMMAND ${Python_EXECUTABLE} -c
    "import sys; sys.path.insert(0, r'${CMAKE_CURRENT_LIST_DIR}'); import build_backend; print(build_backend.spark_jars() or '')"
  OUTPUT_VARIABLE SPARK_JARS OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT SPARK_JARS)
  message(FATAL_ERROR
    "The Spark plugin jar is compiled against Spark's jars and none were found: pip install "
    "'pyspark>=3.5,<4.4', or point SPARK_HOME at a Spark, or set PENSTOCK_JAR=OFF in the "
    "environment to build without the plugin.")
endif()
message(STATUS "penstock: plugin jar against ${SPARK_JARS}")

set(SHIM ${CMAKE_CURRENT_SOURCE_DIR}/../jvm-shim)
set(JAR_CLASSES ${CMAKE_CURRENT_BINARY_DIR}/plugin-classes)
set(JAR ${CMAKE_CURRENT_BINARY_DIR}/penstock-spark.jar)
file(GLOB_RECURSE SHIM_SOURCES CONFIGURE_DEPENDS ${SHIM}/src/main/java/*.java)
file(GLOB_RECURSE SHIM_RESOURCES CONFIGURE_DEPENDS ${SHIM}/src/main/resources/*)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/penstock-version.properties
     CONTENT "version=${PENSTOCK_VERSION}\n")

add_custom_command(
  OUTPUT ${JAR}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${JAR_CLASSES}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${JAR_CLASSES}
  COMMAND ${Java_JAVAC_EXECUTABLE} --release 17 -encoding UTF-8
          -cp "${SPARK_JARS}/*" -implicit:none -proc:none -d ${JAR_CLASSES} ${SHIM_SOURCES}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${SHIM}/src/main/resources ${JAR_CLASSES}
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/../conf/penstock-defaults.conf
          ${CMAKE_CURRENT_BINARY_DIR}/penstock-version.properties ${JAR_CLASSES}
  # No manifest and a fixed date: the same sources give the same bytes.
  COMMAND ${Java_JAR_EXECUTABLE} --create --no-manifest --date 1980-01-01T00:00:02Z --file ${JAR}
          -C ${JAR_CLASSES} .
  DEPENDS ${SHIM_SOURCES} ${SHIM_RESOURCES} ${CMAKE_CURRENT_SOURCE_DIR}/../conf/penstock-defaults.conf
          ${CMAKE_CURRENT_BINARY_DIR}/penstock-version.properties
  COMMENT "Compiling the Spark plugin jar"
  VERBATIM)
add_custom_target(plugin_jar ALL DEPENDS ${JAR})
install(FILES ${JAR} DESTINATION penstock/jars)
