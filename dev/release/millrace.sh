#!/bin/sh
# Runs a command of Millrace with the settings of the service.
if [ -r /etc/millrace/millrace.env ]; then
  set -a
  . /etc/millrace/millrace.env
  set +a
fi
MILLRACE_DATA=${MILLRACE_DATA:-/var/lib/millrace}
export MILLRACE_DATA
exec /usr/lib/millrace/bin/millrace "$@"
