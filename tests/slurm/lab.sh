#!/usr/bin/env bash
# A Slurm cluster of two nodes on this computer, for tests. Needs root and Debian's slurmctld slurmd slurm-client munge.
#   lab.sh start DIR               munge, a controller and two node daemons; each node has one pretended GPU
#   lab.sh env DIR                 prints the variable that makes sbatch and the others use this cluster
#   lab.sh kill-node DIR n1|n2     kills the node's daemon; its tasks go on, and Slurm starts them again elsewhere
#   lab.sh kill-tasks DIR n1|n2    kills the node's tasks; Slurm notices at once
#   lab.sh kill-steps DIR n1|n2    kills them together with the processes that watch over them; Slurm notices after a minute
#   lab.sh stop-tasks DIR n1|n2    stops the node's tasks with SIGSTOP; continue-tasks lets them go on
#   lab.sh start-node DIR n1|n2    starts the node's daemon again
#   lab.sh stop DIR                ends everything that runs in the cluster
# KINESCOPE_LAB_CPUS: CPUs of each node (default: 1). KINESCOPE_LAB_PORT: first of three ports (default: a free one).
# Everything lives in DIR; the system's own Slurm is not touched.
set -euo pipefail
command=$1
dir=$(realpath -m "$2")
node=${3:-}
export SLURM_CONF=$dir/slurm.conf

# Starts the search anywhere, because a cluster that starts at the same time searches, too.
free_port() {
    python3 -c 'import random, socket
sockets = [socket.socket() for _ in range(3)]
ports = list(range(20000, 32000, 7))
random.shuffle(ports)
for port in ports:
    try:
        for offset, one in enumerate(sockets): one.bind(("127.0.0.1", port + offset))
    except OSError:
        for one in sockets: one.close()
        sockets = [socket.socket() for _ in range(3)]
    else:
        print(port)
        break'
}

write_configuration() {
    local host port cpus
    host=$(hostname)
    port=${KINESCOPE_LAB_PORT:-$(free_port)}
    cpus=${KINESCOPE_LAB_CPUS:-1}
    mkdir -p "$dir"/{controller,n1,n2,log,munge}
    chmod 755 "$dir"
    chmod 700 "$dir/munge"
    dd if=/dev/urandom of="$dir/munge/key" bs=64 count=1 status=none
    chmod 400 "$dir/munge/key"
    cat >"$dir/slurm.conf" <<END
ClusterName=lab
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmctldPidFile=$dir/controller.pid
SlurmdPidFile=$dir/%n/pid
SlurmctldLogFile=$dir/log/controller
SlurmdLogFile=$dir/log/%n
SlurmdSpoolDir=$dir/%n
StateSaveLocation=$dir/controller
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=10
KillWait=5
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
GresTypes=gpu
JobRequeue=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=$cpus RealMemory=4000 Gres=gpu:1 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=$cpus RealMemory=4000 Gres=gpu:1 State=UNKNOWN
PartitionName=lab Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
    # A pretended GPU needs a device file.
    printf 'NodeName=n1 Name=gpu File=/dev/zero\nNodeName=n2 Name=gpu File=/dev/full\n' >"$dir/gres.conf"
    echo 'CgroupPlugin=autodetect' >"$dir/cgroup.conf"  # 22.05 does not know "disabled"
}

# Daemons must be started by these names: as slurmctld-wlm, generic resources vanish silently.
start_node() { slurmd -N "$1"; }

# Prints the processes whose environment contains both lines: the cluster's configuration and another one.
processes_with() {
    local file
    for file in $(grep -lzxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ 2>/dev/null); do
        if grep -qzxF "$1" "$file" 2>/dev/null; then basename "$(dirname "$file")"; fi
    done
}

# Prints the processes that watch over the tasks of a node. Each has a socket "n1_JOB.STEP" in the node's folder.
watchers_of() {
    local pid job
    for pid in $(processes_with "SLURM_CONF=$SLURM_CONF"); do
        job=$({ tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null | sed -n 's/^slurmstepd: \[\([0-9]*\)\..*/\1/p') || true
        if [ -n "$job" ] && compgen -G "$dir/$1/$1_$job.*" >/dev/null; then echo "$pid"; fi
    done
}

tasks_of() { processes_with "SLURMD_NODENAME=$1"; }

send_signal() {
    local signal=$1 pid
    shift
    for pid in "$@"; do kill "-$signal" "$pid" 2>/dev/null || true; done
}

stop_all() {
    local pids=() file name
    for file in "$dir"/n1/pid "$dir"/n2/pid "$dir"/controller.pid; do
        [ ! -f "$file" ] || pids+=("$(cat "$file")")
    done
    for name in n1 n2; do
        # shellcheck disable=SC2207  # numbers
        pids+=($(watchers_of "$name") $(tasks_of "$name"))
    done
    [ ! -f "$dir/munge/pid" ] || pids+=("$(cat "$dir/munge/pid")")
    send_signal TERM "${pids[@]}"
    for _ in $(seq 50); do
        kill -0 "${pids[@]}" 2>/dev/null || break
        sleep 0.1
    done
    send_signal KILL "${pids[@]}"
    # A node that was starting may have begun a task in the meantime.
    for name in n1 n2; do
        # shellcheck disable=SC2046
        send_signal KILL $(watchers_of "$name") $(tasks_of "$name")
    done
}

case $command in
start)
    write_configuration
    munged --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --log-file="$dir/log/munge" \
        --pid-file="$dir/munge/pid" --seed-file="$dir/munge/seed"
    slurmctld
    start_node n1
    start_node n2
    for _ in $(seq 150); do
        [ "$(sinfo -h -N -o %t 2>/dev/null | grep -c idle)" != 2 ] || exit 0
        sleep 0.2
    done
    echo "lab.sh: the nodes are not idle:" >&2
    sinfo -N -o '%N %t %G' >&2
    exit 1 ;;
env) echo "export SLURM_CONF=$dir/slurm.conf" ;;
kill-node) kill -9 "$(cat "$dir/$node/pid")" ;;
kill-tasks)
    # shellcheck disable=SC2046
    send_signal KILL $(tasks_of "$node") ;;
stop-tasks)
    # shellcheck disable=SC2046
    send_signal STOP $(tasks_of "$node") ;;
continue-tasks)
    # shellcheck disable=SC2046
    send_signal CONT $(tasks_of "$node") ;;
kill-steps)
    # shellcheck disable=SC2046
    send_signal KILL $(watchers_of "$node") $(tasks_of "$node") ;;
start-node) start_node "$node" ;;
stop) stop_all ;;
*)
    echo "lab.sh: $command is not known" >&2
    exit 2 ;;
esac
