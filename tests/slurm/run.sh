#!/usr/bin/env bash
# Runs videos on a Slurm cluster of two nodes that it starts on this computer, and ends the cluster in any case.
#   tests/slurm/run.sh --program build/bin/kinescope-cli                 the campaign, about 15 minutes
#   tests/slurm/run.sh --program build/bin/kinescope-cli --short         the form that ctest runs, less than a minute
#   tests/slurm/run.sh --test build/tests/slurm.test_queue               a program of tests instead of the campaign
# Further options are those of campaign.py. Exit code 77: not run, because it needs root and Slurm's packages.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() {
    echo "skipped: $1" >&2
    exit 77
}
[ "$(id -u)" = 0 ] || skip "a Slurm cluster on this computer needs root"
for program in munged slurmctld slurmd sbatch squeue scancel scontrol; do
    command -v "$program" >/dev/null || skip "$program is not installed: apt-get install slurmctld slurmd slurm-client munge"
done

dir=$(mktemp -d /tmp/kinescope-slurm-XXXXXX)
finish() {
    "$here/lab.sh" stop "$dir/lab" || true
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

"$here/lab.sh" start "$dir/lab" </dev/null || {
    tail -n 5 "$dir"/lab/log/* >&2
    exit 1
}
eval "$("$here/lab.sh" env "$dir/lab")"
# Not with exec: the trap must run.
if [ "${1:-}" = --test ]; then
    "${@:2}"
    exit
fi
python3 "$here/campaign.py" --lab "$here/lab.sh" --dir "$dir" "$@"
