#!/usr/bin/env bash
# Makes the moving thumbnails of the example prompts of the demo model: 16 of 25 frames in a row, one JPEG per English prompt.
# The Chinese prompts ask for the same videos and share the pictures, see resources/kinescope.qrc.
#
#     resources/examples/make_examples.sh build/bin/kinescope-cli
set -euo pipefail
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
python3 -c 'import json, sys; print("\n".join(p for p in json.load(open(sys.argv[1]))["example_prompts"] if p.isascii()))' \
    "$here/../demo_model/kinescope.json" |
while read -r prompt; do
    name=${prompt// /-}
    "$program" generate --prompt "$prompt" --seed 1 --output "$frames/$name/" --progress none --quiet < /dev/null > /dev/null
    ffmpeg -nostdin -v error -y -i "$frames/$name/%05d.png" -vf "select=lt(mod(n*16\\,25)\\,16),scale=120:72,tile=16x1" -frames:v 1 -q:v 3 "$here/$name.jpg"
done
