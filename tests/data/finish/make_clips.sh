#!/bin/bash
# Makes the clips and sounds beside itself: make_clips.sh. Needs ffmpeg 5.1.
#   phone.mp4   96x64 stored, shown as 64x96, 30000/1001 fps, 12 frames, AAC, title and artist
#   uneven.mp4  96x64, 10 frames at 0, 1, 2, 5, 6, 7, 8, 12, 13 and 14 tenths of a second
#   hdr.mp4     tagged as HDR (SMPTE ST 2084)
#   hlg.mp4     10 bits, HDR (hybrid log-gamma), 9 frames of one gray: code 721, 75 %, SDR white
#   wide.mkv    48x64 stored, pixels twice as wide as high: shown as 96x64; 9 frames
#   interlaced.mp4  48x32, 5 frames of two fields each, the top one first
#   fields.mp4  the same, but only the frames say that they have fields
#   damaged.mp4 MPEG-4, 96x64, 12 frames, with 8 wrong bytes in one of the last
#   reordered.mp4  the same in H.264 with B-frames
#   transparent.mov  2 frames of 32x16 in QuickTime Animation: green, its right half transparent
#   transparent_vpx.webm, transparent_vpx-vp9.webm  the same in VP8 and VP9
#   late.mkv    1.5 s without sound for the first 0.5 s: FLAC that starts later than the video
#   gap.mkv     sound only, 3 s: PCM without the packets from 1 to 2 s
#   odd.mkv     95x63, 4:4:4
#   one.mp4     one frame
#   scenes.mp4  4 frames of one scene, 4 of another
#   tone.wav    0.5 s of 440 Hz, mono, 44.1 kHz
#   tone.mp3    the same, with a header that states its length
#   tone.m4a    the same, with the index in front of the sound
#   sound_only.mp4  sound only: no frames
#   cover.m4a   sound and a cover picture: no frames
#   covered.mkv 3 frames of 48x32 with a cover picture of 96x64
#   chapters.mkv  3 s in chapters: "Start" from 0, one without a title from 1 and "Ende – 3" from 2 s
#   tracks.mkv  2.5 s with AAC (eng), FLAC (deu, "Commentary"), SubRip (fra) and an attachment
#   many.mkv    one frame with 30 SubRip streams
#   early_lines.mp4  video from 0.5 to 2 s; lines at 0 to 0.1, 0.1 to 1.5 and 1.6 to 1.9 s
set -e
cd "$(dirname "$0")"
quiet="-hide_banner -loglevel error -y -bitexact -fflags +bitexact"
x264="-c:v libx264 -preset slow -crf 20 -pix_fmt yuv420p -threads 1"
moving="testsrc=size=96x64"
ffmpeg $quiet -f lavfi -t 0.4 -i "$moving:rate=30000/1001" -f lavfi -t 0.4 -i "sine=440:sample_rate=44100" $x264 \
    -c:a aac -b:a 48k -metadata title="A phone video" -metadata artist="Nobody" stored.mp4
ffmpeg $quiet -display_rotation 90 -i stored.mp4 -c copy phone.mp4 2>/dev/null ||
    ffmpeg $quiet -i stored.mp4 -c copy -metadata:s:v rotate=90 phone.mp4
ffmpeg $quiet -f lavfi -i "$moving:rate=10" -vf "select='eq(n,0)+eq(n,1)+eq(n,2)+eq(n,5)+eq(n,6)+eq(n,7)+eq(n,8)+eq(n,12)+eq(n,13)+eq(n,14)'" \
    -frames:v 10 -vsync vfr $x264 uneven.mp4
ffmpeg $quiet -f lavfi -i "$moving:rate=10" -frames:v 3 $x264 -color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc hdr.mp4
ffmpeg $quiet -f lavfi -i "color=black:size=96x64:rate=10,format=yuv420p10le,geq=lum=721:cb=512:cr=512" -frames:v 9 \
    -c:v libx264 -preset slow -crf 10 -pix_fmt yuv420p10le -threads 1 \
    -color_trc arib-std-b67 -color_primaries bt2020 -colorspace bt2020nc hlg.mp4
ffmpeg $quiet -f lavfi -i "testsrc=size=48x64:rate=10,setsar=2" -frames:v 9 $x264 wide.mkv
ffmpeg $quiet -f lavfi -i "testsrc=size=48x32:rate=10" -frames:v 5 $x264 -x264-params tff=1 interlaced.mp4
ffmpeg $quiet -f lavfi -i "testsrc=size=48x32:rate=10" -vf setfield=tff -frames:v 5 -c:v mpeg4 -flags +ildct+ilme+bitexact \
    -threads 1 fields.mp4
damage() { # FILE PLACE, a fraction of its size
    head -c 8 /dev/zero | tr '\0' '\377' | dd of="$1" bs=1 seek=$(($(stat -c %s "$1") * $2)) conv=notrunc status=none
}
ffmpeg $quiet -f lavfi -i "$moving:rate=10" -frames:v 12 -c:v mpeg4 -q:v 4 -threads 1 -movflags +faststart damaged.mp4
damage damaged.mp4 7/8
ffmpeg $quiet -f lavfi -i "$moving:rate=10" -frames:v 12 $x264 -movflags +faststart reordered.mp4
damage reordered.mp4 25/32
ffmpeg $quiet -f lavfi -i "color=black:size=32x16:rate=10,format=rgba,geq=r=0:g=255:b=0:a='if(lt(X,16),255,0)'" \
    -frames:v 2 -c:v qtrle -pix_fmt argb transparent.mov
for codec in libvpx libvpx-vp9; do
    ffmpeg $quiet -i transparent.mov -vf format=yuva420p -c:v $codec -crf 4 -b:v 1M -auto-alt-ref 0 -threads 1 \
        transparent_${codec#lib}.webm
done
ffmpeg $quiet -f lavfi -t 1.5 -i "$moving:rate=10" -itsoffset 0.5 -f lavfi -t 1 -i "sine=440:sample_rate=48000" \
    $x264 -c:a flac late.mkv
ffmpeg $quiet -f lavfi -t 3 -i "sine=440:sample_rate=8000" -af "aselect='not(between(t,1,1.99))'" -c:a pcm_s16le gap.mkv
ffmpeg $quiet -f lavfi -i "testsrc=size=95x63:rate=10" -frames:v 3 -c:v libx264 -crf 20 -pix_fmt yuv444p -threads 1 odd.mkv
ffmpeg $quiet -f lavfi -i "$moving:rate=10" -frames:v 1 $x264 one.mp4
ffmpeg $quiet -f lavfi -i "$moving:rate=10" -f lavfi -i "mandelbrot=size=96x64:rate=10:start_scale=0.05" \
    -filter_complex "[0]trim=end_frame=4[a];[1]trim=end_frame=4,negate[b];[a][b]concat=n=2" $x264 scenes.mp4
ffmpeg $quiet -f lavfi -i "sine=440:sample_rate=44100:duration=0.5" -c:a pcm_s16le tone.wav
ffmpeg $quiet -i tone.wav -c:a libmp3lame -b:a 64k tone.mp3
ffmpeg $quiet -i tone.wav -c:a aac -movflags +faststart tone.m4a
ffmpeg $quiet -f lavfi -i "sine=440:sample_rate=44100:duration=0.5" -c:a aac -b:a 48k sound_only.mp4
ffmpeg $quiet -i one.mp4 cover.png
ffmpeg $quiet -i sound_only.mp4 -i cover.png -map 0 -map 1 -c:a copy -c:v copy -disposition:v attached_pic cover.m4a
ffmpeg $quiet -f lavfi -i "testsrc=size=48x32:rate=10" -frames:v 3 $x264 -attach cover.png \
    -metadata:s:t mimetype=image/png -metadata:s:t filename=cover.png covered.mkv
printf ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/10\nSTART=0\nEND=10\ntitle=Start\n[CHAPTER]\nTIMEBASE=1/10\nSTART=10\nEND=20\n[CHAPTER]\nTIMEBASE=1/10\nSTART=20\nEND=30\ntitle=Ende – 3\n' > chapters.txt
ffmpeg $quiet -f lavfi -i "testsrc=size=48x32:rate=4" -i chapters.txt -map_chapters 1 -frames:v 12 $x264 chapters.mkv
printf '1\n00:00:00,100 --> 00:00:00,400\nFirst\n\n2\n00:00:01,500 --> 00:00:02,400\nSecond\n' > lines.srt
ffmpeg $quiet -f lavfi -t 2.5 -i "$moving:rate=10" -f lavfi -t 2.5 -i "sine=440:sample_rate=44100" \
    -f lavfi -t 2.5 -i "sine=880:sample_rate=48000" -i lines.srt $x264 -map 0 -map 1 -map 2 -map 3 \
    -c:a:0 aac -b:a:0 48k -c:a:1 flac -c:s srt -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu \
    -metadata:s:a:1 title=Commentary -metadata:s:s:0 language=fra -attach lines.srt -metadata:s:t mimetype=text/plain tracks.mkv
ffmpeg $quiet -i one.mp4 -i lines.srt -map 0 $(printf -- '-map 1 %.0s' $(seq 30)) -c:v copy -c:s srt many.mkv
printf '1\n00:00:00,000 --> 00:00:00,100\nOver\n\n2\n00:00:00,100 --> 00:00:01,500\nEarly\n\n3\n00:00:01,600 --> 00:00:01,900\nLater\n' > lines.srt
ffmpeg $quiet -itsoffset 0.5 -f lavfi -t 1.5 -i "testsrc=size=32x16:rate=10" -i lines.srt $x264 -map 0 -map 1 -c:s mov_text -copyts \
    early_lines.mp4
ffmpeg $quiet -f lavfi -i "color=red:size=32x32:rate=10" -frames:v 2 -c:v libtheora -bitexact theora.ogv
rm stored.mp4 lines.srt cover.png chapters.txt
