#!/bin/sh
# keeper.sh FOLDER - ends what a test run started and removes FOLDER, once its standard input is at its end. That is the
# one way out for a finished run, a failed start, Ctrl-C and even kill -9: the kernel closes the pipe in every case.
# A line is the list of process groups alive at that moment; the last line counts.
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

# SIGQUIT, because PostgreSQL would wait for its clients after a SIGTERM; MySQL and MariaDB take both as "shut down".
tell QUIT
tenths=0
while left && [ "$tenths" -lt 50 ]; do
  sleep 0.1
  tenths=$((tenths + 1))
done
tell KILL
# A backend that outlives its killed server may still be writing.
rm -rf -- "$1" || { sleep 1 && rm -rf -- "$1"; }
