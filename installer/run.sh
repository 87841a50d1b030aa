#!/usr/bin/env bash
# Installs what is missing, builds, and opens Kinescope. Later calls skip what is done.
#   ./installer/run.sh                   the window; without a display, the example video
#   ./installer/run.sh generate ...      the headless program with these arguments
# Settings: KINESCOPE_JOBS (compilers at once), KINESCOPE_CACHE (where LibTorch is kept), KINESCOPE_LIBTORCH (another one).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install_packages "$installer/packages.txt"
build "$source_dir/build" -- kinescope kinescope-cli
bin=$source_dir/build/bin

if [ $# -gt 0 ]; then
    exec "$bin/kinescope-cli" "$@"
fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/kinescope"
fi

example=$source_dir/build/example.mp4
say "no display here, so the built-in model makes its example video"
"$bin/kinescope-cli" generate --model builtin --prompt "a red ball moving left on a blue background" --output "$example" --overwrite >/dev/null
echo "The video is $example"
