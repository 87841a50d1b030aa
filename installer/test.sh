#!/usr/bin/env bash
# Installs missing packages, builds everything and runs all tests. Later calls only build what changed.
#   ./installer/test.sh [CTEST_OPTION...]                        for example -R weights
#   KINESCOPE_SANITIZE='address;undefined' ./installer/test.sh   uses a separate build folder; also: thread
# Window tests draw offscreen. Tests with the label xvfb use Xvfb's display.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

sanitize=${KINESCOPE_SANITIZE:-}
folder=$source_dir/build${sanitize:+-${sanitize//;/-}}
checks=$source_dir/tests/checks

install_packages "$installer/packages.txt" "$installer/packages-test.txt"
build "$folder" "-DKINESCOPE_SANITIZE=$sanitize" -DKINESCOPE_WERROR=ON --

# Fatal signals end a process as in a plain build, because tests examine how children end.
signals=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:$signals}
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$checks/lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-suppressions=$checks/tsan.supp:second_deadlock_stack=1:die_after_fork=0:$signals}
preload=
if [ "$sanitize" = thread ]; then preload=$folder/tests/libtsan_order.so; fi
xvfb-run --auto-servernum --server-args="-screen 0 1600x1000x24" \
    env "LD_PRELOAD=$preload" ctest --test-dir "$folder" --output-on-failure --parallel "${KINESCOPE_JOBS:-$(build_jobs)}" "$@" </dev/null || {
    status=$?
    echo "Failed checks:"
    grep --after-context 4 '^FAIL!' "$folder/Testing/Temporary/LastTest.log" || true
    exit $status
}
