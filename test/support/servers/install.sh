#!/bin/sh
# install.sh PACKAGE... - runs apt-get install without starting services: the tests only need the programs, and a database
# server on its default port would surprise the user. An existing policy-rc.d is restored, even after Ctrl-C.
set -eu
policy=${POLICY_RC_D:-/usr/sbin/policy-rc.d}

put_back() {
  rm -f "$policy"
  if [ -e "$policy.kept" ]; then mv "$policy.kept" "$policy"; fi
}
trap put_back EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [ -e "$policy" ]; then mv "$policy" "$policy.kept"; fi
printf '#!/bin/sh\nexit 101\n' >"$policy"
chmod 755 "$policy"

export DEBIAN_FRONTEND=noninteractive
apt-get -q -o DPkg::Lock::Timeout=300 update
apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
