#!/usr/bin/env bash
# run.sh SECONDS [TARGET...]: builds the fuzz targets with clang and runs each for SECONDS at the lowest priority with
# at most 1 GiB of memory. Saves inputs that crash, leak or exceed the memory as corpus/<target>/found-*, which ctest
# replays from then on. Statistics: <build>/fuzz/<target>.log. KINESCOPE_FUZZ_BUILD: the build folder (build-fuzz); CXX:
# clang++-16, the oldest clang that compiles the sources (Debian: clang-16 libclang-rt-16-dev); KINESCOPE_FUZZ_CMAKE:
# more CMake options.
set -euo pipefail
seconds=${1:?usage: run.sh SECONDS [TARGET...]}; shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${KINESCOPE_FUZZ_BUILD:-$root/build-fuzz}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(safetensors pickle gguf shard_index sentencepiece image request clip_comment engine_message comfy_paths)

# shellcheck disable=SC2086
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DKINESCOPE_FUZZ=ON -DKINESCOPE_UI=OFF \
      -DKINESCOPE_TESTS=OFF -DCMAKE_CXX_COMPILER="${CXX:-clang++-16}" ${KINESCOPE_FUZZ_CMAKE:-} >/dev/null
nice -n 19 cmake --build "$build" --target "${targets[@]/#/fuzz_}"

export ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export LSAN_OPTIONS="suppressions=$root/tests/checks/lsan.supp:print_suppressions=0"
export OMP_NUM_THREADS=1
failed=0
for target in "${targets[@]}"; do
  work=$build/fuzz/$target; mkdir -p "$work"
  log=$build/fuzz/$target.log
  nice -n 19 "$build/bin/fuzz_$target" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=20 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="$here/corpus/$target/found-" "$work" "$here/corpus/$target" >"$log" 2>&1 ||
    { failed=1; echo "$target: fault found; see $log"; }
  grep -E '^stat::|^Done' "$log" | sed "s/^/$target: /" || true
done
exit $failed
