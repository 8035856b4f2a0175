#!/bin/sh
# install.sh PACKAGE... - apt-get install that starts no service: the tests want the programs only, and a database that
# listens on its usual port afterwards would be a surprise. An existing policy-rc.d is put back, also after Ctrl-C.
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
