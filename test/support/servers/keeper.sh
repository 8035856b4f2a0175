#!/bin/sh
# keeper.sh FOLDER - stops what a test run has started and removes FOLDER, once its standard input is closed. The kernel
# closes the pipe however the run ends: when it finishes, fails to start, on Ctrl-C, and even after kill -9.
# Each line lists the process groups that are alive; only the last line counts.
PATH=$PATH:/usr/bin:/bin
groups=
while read -r line; do groups=$line; done

left() {
  for group in $groups; do
    if kill -s 0 -- "-$group" 2>/dev/null; then return 0; fi
  done
  return 1
}
tell() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
}

# SIGQUIT: after a SIGTERM PostgreSQL would wait for its clients to disconnect. MySQL and MariaDB shut down on both.
tell QUIT
tenths=0
while left && [ "$tenths" -lt 50 ]; do
  sleep 0.1
  tenths=$((tenths + 1))
done
tell KILL
# A backend process may survive its killed server for a moment, and still write files.
rm -rf -- "$1" || { sleep 1 && rm -rf -- "$1"; }
