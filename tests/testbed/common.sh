# Sourced by the scripts of this folder. Exit code 77: this machine cannot do it.
set -u
testbed=${SCORPIO_TESTBED:-}
complaints=0

skip() { echo "not run: $*"; exit 77; }
complain() { echo "$*"; complaints=$((complaints + 1)); }
finish() { [ $complaints = 0 ] && echo "all as it should be"; exit $((complaints > 0)); }

need_testbed() { [ -x "$testbed/$1" ] || skip "no $1 in '$testbed' (SCORPIO_TESTBED)"; }
need_root() { [ "$(id -u)" = 0 ] || skip "needs root"; }
need_mount_namespace() { unshare -m true 2>/dev/null || skip "no mount namespaces"; }

# A folder that is removed at the end, with its parent in $1.
make_folder() {
  folder=$(mktemp -d -p "${1:-${TMPDIR:-/tmp}}" scorpio-XXXXXX) || exit 1
  trap clean_up EXIT
}
clean_up() { rm -rf "$folder"; }

# The MPI library itself must not depend on what is made small.
export OMPI_MCA_btl_vader_backing_directory=/tmp
