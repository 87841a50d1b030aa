# Functions for run.sh and test.sh: packages and the build. Source this file instead of running it.
set -euo pipefail

installer=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(dirname "$installer")

say() { echo "kinescope: $1" >&2; }

fail() {
    say "$1"
    exit 1
}

# packages FILE...: prints the package names in the lists, without comments
packages() { grep -hv -e '^#' -e '^$' "$@"; }

missing_packages() {
    local installed
    installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
    packages "$@" | grep -vxF "$installed" || true  # grep fails when nothing is missing
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"  # non-interactive: nobody can type a password
    fi
}

# install_packages FILE...: installs missing packages with apt
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "this is not Debian: please install the packages listed in $* yourself"
        return
    fi
    local missing
    missing=$(missing_packages "$@" | xargs)
    [ -n "$missing" ] || return 0
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "packages are missing, but sudo is not available; run as root: apt-get install $missing"
    say "installing $missing"
    as_root apt-get update --quiet >&2 || fail "apt-get update failed; see the lines above"
    # shellcheck disable=SC2086  # a list of words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends $missing </dev/null >&2 ||
        fail "apt-get install failed; see the lines above"
}

# One compiler per core, but at most one per 1.5 GiB of free memory, because ATen's headers are large.
build_jobs() {
    local memory cores
    memory=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo)
    cores=$(nproc)
    echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

# build FOLDER [CMAKE_OPTION...] -- [TARGET...]: builds the targets, or everything
build() {
    local folder=$1 options=() targets=()
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    [ $# = 0 ] || targets=(--target "$@")
    options+=("-DKINESCOPE_LIBTORCH=${KINESCOPE_LIBTORCH:-}")
    # Always configure: it takes a second if nothing changed, and detects a deleted cache folder.
    cmake -S "$source_dir" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DKINESCOPE_UNITY=ON "${options[@]}" >&2
    cmake --build "$folder" --parallel "${KINESCOPE_JOBS:-$(build_jobs)}" "${targets[@]}" >&2
}
