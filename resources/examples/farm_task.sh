#!/bin/sh
# A task of a render farm, such as Flamenco or Deadline:
#   farm_task.sh REQUEST.json VIDEO JOBS_DIR
# JOBS_DIR is a folder of this task on storage that all workers see. A task that another worker began continues after its
# last finished step. Exit codes: 0 done; 5 stopped by the farm, start the task again; others: see the manual.
for job in "$3"/[1-9]*/job.json; do
    if [ -f "$job" ]; then exec kinescope-cli resume --last --jobs "$3"; fi
done
# Without a job in its folder, an earlier start of the task has finished the video.
if [ -d "$3" ] && [ -e "$2" ]; then exit 0; fi
exec kinescope-cli generate --request "$1" --output "$2" --jobs "$3"
