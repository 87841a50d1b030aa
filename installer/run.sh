#!/usr/bin/env bash
# Installs missing packages, builds and starts Kinescope. Later calls skip completed steps.
#   ./installer/run.sh                   starts the window, or generates the example video if there is no display
#   ./installer/run.sh generate ...      runs the headless program with these arguments
# If an NVIDIA driver is installed, the first call also downloads LibTorch's CUDA backend (2.5 GB). The first argument
# overrides this:
#   ./installer/run.sh --cpu ...         never downloads it
#   ./installer/run.sh --cuda ...        always downloads it
# Environment: KINESCOPE_JOBS (parallel compilers), KINESCOPE_CACHE (folder for LibTorch), KINESCOPE_LIBTORCH (use
# another one).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cuda=auto
case ${1:-} in
    --cpu | --cuda)
        cuda=${1#--}
        shift
        ;;
esac

has_nvidia_driver() {
    [ -e /proc/driver/nvidia/version ] || python3 -c 'import ctypes; ctypes.CDLL("libcuda.so.1")' 2>/dev/null
}

# KINESCOPE_LIBTORCH is used as it is.
fetch_cuda_part() {
    [ -z "${KINESCOPE_LIBTORCH:-}" ] || return 0
    [ "$cuda" != cpu ] || return 0
    [ "$cuda" = cuda ] || has_nvidia_driver || return 0
    say "downloading LibTorch's CUDA backend (2.5 GB, once) for the NVIDIA card; use --cpu to skip it"
    "$installer/fetch_libtorch.sh" --cuda >/dev/null && return
    [ "$cuda" = auto ] || fail "the CUDA backend could not be installed; see the lines above"
    say "the CUDA backend could not be installed, so Kinescope uses the CPU; see the lines above"
}

install_packages "$installer/packages.txt"
fetch_cuda_part
build "$source_dir/build" -- kinescope kinescope-cli
bin=$source_dir/build/bin

if [ $# -gt 0 ]; then
    exec "$bin/kinescope-cli" "$@"
fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/kinescope"
fi

example=$source_dir/build/example.mp4
say "no display found: generating the example video with the built-in model"
"$bin/kinescope-cli" generate --model builtin --prompt "a red ball moving left on a blue background" --output "$example" --overwrite >/dev/null
echo "The video is $example"
