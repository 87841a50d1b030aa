#!/usr/bin/env bash
# make_clip.sh READMEPICTURES OUTPUT.gif: records the window while it makes a video, as an animated GIF of at most 2 MB.
# READMEPICTURES is build/bin/readme_pictures. Needs ffmpeg.
set -euo pipefail
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen} "$1" --clip "$frames"
ffmpeg -loglevel error -y -framerate 8 -i "$frames/%03d.png" -filter_complex \
    "scale=960:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" \
    "$2"
size=$(stat -c %s "$2")
[ "$size" -le 2097152 ] || { echo "$2 has $size bytes, more than 2 MB" >&2; exit 1; }
echo "$2: $size bytes"
