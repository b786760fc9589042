# The only door: everything a developer or CI runs is a target here. `make` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Spark starts its workers with the very interpreter that holds the package.
export PYSPARK_PYTHON := $(abspath $(BIN))/python
export PYSPARK_DRIVER_PYTHON := $(PYSPARK_PYTHON)
# Spark binds to the loopback interface, so nothing here depends on how the host is named.
export SPARK_LOCAL_IP ?= 127.0.0.1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

PACKAGE_SOURCES := pyproject.toml README.md LICENSE conf/penstock-defaults.conf \
  $(shell find python native jvm-shim/src/main -type f -not -path '*/__pycache__/*' 2>/dev/null)
JAVA_TEST_SOURCES := $(shell find jvm-shim/src/test -type f 2>/dev/null)
CPP_SOURCES := $(shell find native tests/native \( -name '*.cpp' -o -name '*.hpp' \) 2>/dev/null)
GOOGLETEST := $(abspath $(firstword $(wildcard /usr/src/googletest) build/deps/usr/src/googletest))
# How many schedules the explorer tries, shared out over its scenarios.
SCHEDULES ?= 1e7
# Of the first one; another each time, which is printed, unless it is given.
SEED ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
SPIN := $(abspath $(firstword $(wildcard /usr/bin/spin) build/deps/usr/bin/spin))
# The browser that looks at the UI; it needs too many packages to be unpacked like the others.
CHROMIUM ?= $(firstword $(wildcard /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome) /usr/bin/chromium)
export CHROMIUM

.PHONY: help demo docs test check lint analyse format bench clean prerequisites \
  test-native test-memory test-threads test-models test-schedules test-side-by-side test-java test-python test-integration test-shipping test-versions fuzz soak bench-ui

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

demo: $(VENV)/.installed ## Find break-ins in a generated sshd log with Spark, and compare with plain mapInArrow
	@$(BIN)/spark-submit --master 'local[2]' $$($(BIN)/penstock conf --submit) examples/break_ins.py $(DEMO_ARGS)

docs: $(VENV)/.installed $(VENV)/.test-tools ## Build the documentation into build/site; reading it needs no network
	@$(BIN)/python docs/site/build_site.py

test: test-native test-threads test-java test-python test-side-by-side ## Run the tests, but for those that CI has no time for (see CONTRIBUTING.md)

check: lint test ## What CI runs: lint, then the tests

# Other runtimes take part in SUITE=scheduler; PEERS= leaves them out.
PEERS ?= build/bench/bench/penstock_bench_peers
WITH_PEERS = $(if $(filter scheduler,$(SUITE)),$(PEERS))

bench: $(VENV)/.installed $(VENV)/.compiled $(WITH_PEERS) ## Run a benchmark suite: make bench SUITE=transport, scheduler, ordered, operators, policies, executor or spark
	@$(BIN)/penstock bench $(or $(SUITE),--list) $(if $(WITH_PEERS),--peers $(WITH_PEERS)) $(BENCH_ARGS)

# Built apart from the tests, which need none of this.
build/bench/bench/penstock_bench_peers: $(PACKAGE_SOURCES) build/deps/tbb/.installed | $(VENV)/.build-tools
	@echo 'Building the peers'
	@{ $(BIN)/cmake -S native -B build/bench -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DCMAKE_BUILD_TYPE=Release \
	  -DPENSTOCK_TBB=$(abspath build/deps/tbb) && $(BIN)/cmake --build build/bench --target penstock_bench_peers; } \
	  >build/bench-peers.log 2>&1 || { cat build/bench-peers.log; exit 1; }
	@touch $@

build/deps/tbb/.installed: | $(VENV)/bin/python
	@echo 'Getting oneTBB'
	@$(BIN)/pip install -q --ignore-installed --no-warn-script-location --prefix $(abspath build/deps/tbb) 'tbb-devel>=2021.8' \
	  || { echo 'The peers need oneTBB from PyPI and could not get it; make bench SUITE=scheduler PEERS= measures without them.'; exit 1; }
	@touch $@

# --- set-up -----------------------------------------------------------------------------------

prerequisites:
	@command -v $(PYTHON) >/dev/null && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo 'Penstock needs Python 3.10 or newer as $(PYTHON) (Debian, Ubuntu: apt-get install python3).'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo 'Penstock needs Python with venv (Debian, Ubuntu: apt-get install python3-venv).'; exit 1; }
	@$(PYTHON) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' \
	  || { echo 'Penstock needs the headers of Python (Debian, Ubuntu: apt-get install python3-dev).'; exit 1; }
	@{ command -v javac && java -version; } >/dev/null 2>&1 \
	  || { echo 'Penstock needs a JDK 17 or newer (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless).'; exit 1; }
	@javac -version 2>&1 | sed -E 's/javac ([0-9]+).*/\1/' | { read -r major; [ "$$major" -ge 17 ]; } \
	  || { echo 'Penstock needs a JDK 17 or newer, and javac here is older (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless).'; exit 1; }
	@echo 'int main() { return [](auto x) requires true { return x; }(0); }' | $${CXX:-c++} -std=c++20 -x c++ -fsyntax-only - 2>/dev/null \
	  || { echo 'Penstock needs a C++20 compiler (Debian, Ubuntu: apt-get install g++).'; exit 1; }

$(VENV)/bin/python: | prerequisites
	@echo 'Setting up $(VENV) (once)'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -q -U 'pip>=25.1'

$(VENV)/.build-tools: pyproject.toml | $(VENV)/bin/python
	@echo 'Installing PySpark and the build tools'
	@$(BIN)/pip install -q --group build 'pyspark>=3.5,<4.4'
	@touch $@

$(VENV)/.installed: $(PACKAGE_SOURCES) | $(VENV)/.build-tools
	@echo 'Building and installing penstock'
	@$(BIN)/pip install -q --no-build-isolation '.[spark]'
	@touch $@

# numba and its LLVM, which compiled functions need: 50 MB that a demo does not wait for.
$(VENV)/.compiled: pyproject.toml | $(VENV)/.installed
	@echo 'Installing what compiles functions'
	@$(BIN)/pip install -q 'penstock[compiled]'
	@touch $@

$(VENV)/.test-tools: pyproject.toml | $(VENV)/.build-tools
	@echo 'Installing the test, lint and documentation tools'
	@$(BIN)/pip install -q --group test --group lint --group docs
	@touch $@

# Debian's packages, unpacked into build/ without root where they are not installed.
define DEBIAN_PACKAGE
	@mkdir -p build/deps
	@cd build/deps && { apt-get download -q $(1) || { apt-get update -q && apt-get download -q $(1); }; } >/dev/null 2>&1 \
	  && dpkg -x $(1)_*.deb . && rm $(1)_*.deb \
	  || { echo 'The tests need $(1) and could not get it (Debian, Ubuntu: apt-get install $(1)).'; exit 1; }
endef

$(abspath build/deps/usr/src/googletest):
	$(call DEBIAN_PACKAGE,googletest)

$(abspath build/deps/usr/bin/spin):
	$(call DEBIAN_PACKAGE,spin)

/usr/bin/chromium:
	@echo 'Installing chromium'
	@[ "$$(id -u)" = 0 ] && { apt-get install -y -q chromium || { apt-get update -q && apt-get install -y -q chromium; }; } >/dev/null 2>&1 \
	  || { echo 'The tests of the UI need chromium, and only root can install it (Debian: apt-get install chromium; or name another as CHROMIUM=...).'; exit 1; }

# --- tests ------------------------------------------------------------------------------------

# What clang-tidy reads holds the binding as well, so that its warnings are errors.
WITH_BINDING = -DPENSTOCK_PYTHON=ON -DPython_EXECUTABLE=$(abspath $(BIN))/python \
  -Dpybind11_DIR=$$($(abspath $(BIN))/python -m pybind11 --cmakedir)
CONFIGURE = mkdir -p build && cd native && PATH="$(abspath $(BIN)):$$PATH" cmake --preset $(1) \
  -DPENSTOCK_GOOGLETEST=$(GOOGLETEST) $(if $(filter dev,$(1)),$(WITH_BINDING)) >../build/configure.log 2>&1 \
  || { cat ../build/configure.log; exit 1; }
BUILD = cd native && PATH="$(abspath $(BIN)):$$PATH" cmake --build --preset $(1) -- --quiet

# Programs of different layers run side by side.
CTEST = cd native && PATH="$(abspath $(BIN)):$$PATH" ctest --preset $(1) -j 2
NATIVE_TESTS = echo '== native tests, $(1)' && ( $(call CONFIGURE,$(1)) ) && ( $(call BUILD,$(1)) ) && ( $(call CTEST,$(1)) )

test-native: $(VENV)/.test-tools $(GOOGLETEST) ## Native tests under the address and undefined-behaviour sanitizers
	@$(call NATIVE_TESTS,asan)

test-schedules: $(VENV)/.test-tools $(GOOGLETEST) ## The schedule explorer: the real code under SCHEDULES= schedules from SEED= on, and its mutants
	@echo '== schedule explorer'
	@$(call CONFIGURE,release)
	@cd native && PATH="$(abspath $(BIN)):$$PATH" cmake --build --preset release --target explorer -- --quiet
	@build/release/tests/explorer --all --schedules $(SCHEDULES) --seed $(SEED)

test-memory: $(VENV)/.test-tools $(GOOGLETEST) ## Native tests of every layer under the address sanitizer (twice as long as in test)
	@cd native && mkdir -p ../build && PATH="$(abspath $(BIN)):$$PATH" cmake --preset asan -DPENSTOCK_GOOGLETEST=$(GOOGLETEST) \
	  -DPENSTOCK_ALL_LAYERS=ON >../build/configure.log 2>&1 || { cat ../build/configure.log; exit 1; }
	@$(call BUILD,asan)
	@$(call CTEST,asan)

test-threads: $(VENV)/.test-tools $(GOOGLETEST) ## Native tests under the thread sanitizer
	@$(call NATIVE_TESTS,tsan)

test-models: $(VENV)/.test-tools $(SPIN) ## Protocol models and their mutants, by exhaustive search
	@echo '== protocol models'
	@PATH="$(dir $(SPIN)):$$PATH" $(BIN)/python tests/spin/run.py

# Tests on Spark wait for JVMs to start half of the time. What computes on one core and looks at no clock has the other
# one meanwhile, and gives way; what it printed comes behind.
test-side-by-side: $(VENV)/.installed $(VENV)/.test-tools $(GOOGLETEST) $(SPIN) ## test-integration, and test-models and test-schedules beside it
	@mkdir -p build; nice -n 19 $(MAKE) -s test-models test-schedules >build/beside.log 2>&1 & beside=$$!; failed=0; \
	  $(MAKE) -s test-integration || failed=1; wait $$beside || failed=1; cat build/beside.log; exit $$failed

JAVAC = javac --release 17 -encoding UTF-8 -proc:none -Xlint:all,-path -Werror
SPARK_JARS = $$($(BIN)/python -c 'import pyspark, pathlib; print(pathlib.Path(pyspark.__file__).parent / "jars")')

# What Spark itself passes to a JVM of its own.
SPARK_OPENS := $(patsubst %,--add-opens=java.base/%=ALL-UNNAMED,java.lang java.lang.invoke java.lang.reflect \
  java.io java.net java.nio java.util java.util.concurrent java.util.concurrent.atomic sun.nio.ch sun.nio.cs \
  sun.security.action sun.util.calendar)

build/java-tests/.compiled: $(VENV)/.installed $(JAVA_TEST_SOURCES)
	@rm -rf build/java-tests && mkdir -p build/java-tests
	@$(JAVAC) -d build/java-tests -cp "$$($(BIN)/penstock jar):$(SPARK_JARS)/*" $(filter %.java,$(JAVA_TEST_SOURCES))
	@cp jvm-shim/src/test/resources/* build/java-tests/
	@touch $@

test-java: build/java-tests/.compiled ## Tests of the Spark plugin, inside a real SparkContext
	@echo '== plugin tests'
	@java -Xmx512m $(SPARK_OPENS) -Djdk.reflect.useDirectMethodHandle=false \
	  -Dpenstock.version=$$($(BIN)/penstock --version | sed 's/.* //') \
	  -cp "build/java-tests:$$($(BIN)/penstock jar):$(SPARK_JARS)/*" io.penstock.spark.TestMain

bench-ui: build/java-tests/.compiled ## Measure how fast the UI tab answers, with 100 flows of 1,000 operators
	@java -Xmx1g $(SPARK_OPENS) -cp "build/java-tests:$$($(BIN)/penstock jar):$(SPARK_JARS)/*" io.penstock.spark.ui.UiBench $(BENCH_ARGS)

test-python: $(VENV)/.installed $(VENV)/.test-tools ## Tests of the Python package, the repository and its documents
	@echo '== python tests'
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal tests
	@$(BIN)/python -m pytest -q --doctest-modules --pyargs penstock

test-integration: $(VENV)/.installed $(VENV)/.test-tools $(CHROMIUM) ## Tests on real Spark: local, local-cluster, standalone, Connect, History Server
	@echo '== integration tests'
	@$(BIN)/python -m pytest -q integration --ignore=integration/test_versions.py --ignore=integration/test_shipping.py \
	  --ignore=integration/test_bench_spark.py

test-shipping: $(VENV)/.installed $(VENV)/.test-tools ## Tests of the package on its way to executors, and of the ways in bench spark (minutes; not part of test)
	@$(BIN)/python -m pytest -q integration/test_shipping.py integration/test_bench_spark.py

test-versions: $(VENV)/.installed $(VENV)/.test-tools ## Tests on Spark 3.5, 4.0 and 4.3, each in an environment of its own (gigabytes; not part of test)
	@$(BIN)/python -m pytest -q integration/test_versions.py

STREAMS ?= 500000

fuzz: $(VENV)/.installed $(VENV)/.test-tools ## Settings and Arrow batches at random, STREAMS=500000 of them (in test a fifth; not part of it)
	@PENSTOCK_FUZZ_STREAMS=$(STREAMS) $(BIN)/python -m pytest -q -n 2 --timeout=0 tests/fuzz

SECONDS ?= 600
SOAK_JSON ?= build/soak.json

soak: $(VENV)/.installed $(VENV)/.test-tools ## Run a steady load for SECONDS=600 and see that nothing grows
	@mkdir -p build
	@$(BIN)/python -m integration.soak --seconds $(SECONDS) --json $(SOAK_JSON)

# --- lint -------------------------------------------------------------------------------------

TIDY = printf '%s\n' $(filter-out native/bench/peers/%,$(filter native/%.cpp,$(CPP_SOURCES))) \
  | xargs -P 2 -n 4 $(BIN)/clang-tidy -p build/dev --quiet $(1) 2>build/clang-tidy.log \
  || { grep -v 'warnings generated' build/clang-tidy.log; exit 1; }

lint: $(VENV)/.installed $(VENV)/.test-tools ## Formatting, static analysis, types, spelling
	@echo '== lint'
	@$(BIN)/ruff check -q . && $(BIN)/ruff format -q --check .
	@$(BIN)/mypy
	@$(BIN)/codespell
	@$(BIN)/clang-format --dry-run -Werror $(CPP_SOURCES)
	@mkdir -p build/java-lint && $(JAVAC) -d build/java-lint -cp "$(SPARK_JARS)/*" $$(find jvm-shim/src/main -name '*.java')

analyse: $(VENV)/.installed $(VENV)/.test-tools $(GOOGLETEST) ## clang-tidy and clang's static analyzer over the engine (not part of CI: a quarter of an hour)
	@$(call CONFIGURE,dev)
	@$(call TIDY,)

format: $(VENV)/.test-tools ## Format everything
	@$(BIN)/ruff check -q --fix . ; $(BIN)/ruff format -q . ; $(BIN)/clang-format -i $(CPP_SOURCES)

clean: ## Remove everything that was built
	@rm -rf build $(VENV)
