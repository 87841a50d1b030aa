# shellcheck shell=bash
# Shared by run.sh and test.sh: packages and the build. Sourced, never run.
set -euo pipefail

installer=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(dirname "$installer")

say() { echo "kinescope: $1" >&2; }

fail() {
    say "$1"
    exit 1
}

# packages FILE...: the names in the lists, without comments
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
        sudo -n "$@"  # nobody is there to type a password
    fi
}

# install_packages FILE...: what is missing of the lists, with apt
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "this is not Debian: the packages of $* are taken to be there under this system's names"
        return
    fi
    local missing
    missing=$(missing_packages "$@" | xargs)
    [ -n "$missing" ] || return 0
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "packages are missing and there is no sudo; as root: apt-get install $missing"
    say "installing $missing"
    as_root apt-get update --quiet >&2 || fail "apt-get update failed; the lines above say why"
    # shellcheck disable=SC2086  # a list of words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends $missing </dev/null >&2 ||
        fail "apt-get install failed; the lines above say why"
}

# One compiler for each core, and 1.5 GiB of memory for each: ATen's headers are large.
build_jobs() {
    local memory cores
    memory=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo)
    cores=$(nproc)
    echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

# build FOLDER [CMAKE_OPTION...] -- [TARGET...]: without a target, all
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
    # Every call configures: it takes a second when nothing has changed, and a deleted cache folder is noticed.
    cmake -S "$source_dir" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DKINESCOPE_UNITY=ON "${options[@]}" >&2
    cmake --build "$folder" --parallel "${KINESCOPE_JOBS:-$(build_jobs)}" "${targets[@]}" >&2
}
