#!/usr/bin/env bash
# Init script of a Databricks-like cluster: installs the wheel for the cluster's Python, and puts the
# plugin jar where driver and executors have it from the start. Each machine runs it before Spark
# starts; running it again changes nothing. Needed only for spark.plugins (docs/install.md).
#
# Set in the cluster's environment variables:
#   PENSTOCK_WHEEL   the wheel, such as /Volumes/main/libs/penstock-0.1.0-cp311-cp311-linux_x86_64.whl
#   PENSTOCK_PYTHON  another Python than the cluster's
#   PENSTOCK_JARS    another folder of jars than the cluster's
set -euo pipefail

python=${PENSTOCK_PYTHON:-/databricks/python/bin/python}
jars=${PENSTOCK_JARS:-/databricks/jars}

fail() {
  echo "penstock init script: $*" >&2
  exit 1
}

wheel=${PENSTOCK_WHEEL:-}
[ -n "$wheel" ] || fail "set PENSTOCK_WHEEL to the path of the wheel in the cluster's environment variables"
[ -f "$wheel" ] || fail "PENSTOCK_WHEEL=$wheel is not a file that this machine can read"
[ -x "$python" ] || fail "there is no Python at $python; set PENSTOCK_PYTHON to the cluster's"
[ -d "$jars" ] || fail "there is no folder $jars; set PENSTOCK_JARS to one on Spark's class path"

# Not its dependencies: another pyarrow than that of the runtime could break Spark itself.
"$python" -m pip install --quiet --no-deps --disable-pip-version-check "$wheel" \
  || fail "pip cannot install $wheel with $python; is it built for this Python and machine?"

"$python" - <<'CHECK' || fail "the runtime of this cluster does not suit; see above"
import sys
from importlib.metadata import PackageNotFoundError, version

try:
    found = version("pyarrow")
except PackageNotFoundError:
    sys.exit("penstock needs pyarrow 15 or newer, and this Python has none")
if int(found.partition(".")[0]) < 15:
    sys.exit(f"penstock needs pyarrow 15 or newer, and this runtime has {found}")
from penstock.doctor import FAIL, check_native

if (checked := check_native()).status == FAIL:
    sys.exit(str(checked))
CHECK

# By a rename, so that a JVM never opens half a jar.
jar=$("$python" -c 'from penstock.jar import jar_path; print(jar_path())')
partial=$(mktemp "$jars/.penstock-spark.XXXXXX")
trap 'rm -f "$partial"' EXIT
cp "$jar" "$partial"
chmod 644 "$partial"
mv -f "$partial" "$jars/penstock-spark.jar"
echo "penstock init script: $("$python" -m penstock --version), $jars/penstock-spark.jar"
