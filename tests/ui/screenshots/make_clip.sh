#!/usr/bin/env bash
# make_clip.sh KINESCOPE OUTPUT.gif: records the window while it generates a video with the built-in model, as an animated
# GIF of at most 2 MB. KINESCOPE is build/bin/kinescope. Needs xvfb, xdotool and ffmpeg.
set -euo pipefail
program=$1 output=$2
if [ -z "${KINESCOPE_CLIP_HOME:-}" ]; then
    KINESCOPE_CLIP_HOME=$(mktemp -d)
    export KINESCOPE_CLIP_HOME
    trap 'rm -rf "$KINESCOPE_CLIP_HOME"' EXIT
    xvfb-run --auto-servernum --server-args="-screen 0 1280x720x24" bash "$0" "$program" "$output"
    exit
fi

export HOME=$KINESCOPE_CLIP_HOME XDG_RUNTIME_DIR=$KINESCOPE_CLIP_HOME
chmod 700 "$HOME"
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME
"$program" --theme dark --size 1280x720 &
trap 'kill %1' EXIT
window=$(xdotool search --sync --onlyvisible --name Kinescope | tail -1)
xdotool windowmove --sync "$window" 0 0 || true
sleep 6  # until the engine is ready and the window shows its plan
ffmpeg -loglevel error -y -f x11grab -draw_mouse 0 -framerate 8 -video_size 1280x720 -i "$DISPLAY" -t 11 \
    -c:v libx264rgb -crf 0 -preset ultrafast "$HOME/raw.mkv" &
recorder=$!
sleep 1
xdotool windowfocus "$window" || true
xdotool key --window "$window" ctrl+Return
wait "$recorder"

palette="palettegen=max_colors=160:stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"
ffmpeg -loglevel error -y -i "$HOME/raw.mkv" -filter_complex "scale=960:-1:flags=lanczos,split[a][b];[a]$palette" "$output"
size=$(stat -c %s "$output")
[ "$size" -le 2097152 ] || { echo "$output has $size bytes, more than 2 MB" >&2; exit 1; }
echo "$output: $size bytes"
