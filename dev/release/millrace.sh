#!/bin/sh
# Runs a command of Millrace with the settings of the service. What the environment has goes before
# them, so that a restore can name another folder. The lines are read as systemd reads them: a value
# may have spaces, with or without quotes around it.
settings=/etc/millrace/millrace.env
if [ -r "$settings" ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    name=${line%%=*} value=${line#*=}
    case $line in *=*) ;; *) continue ;; esac
    case $name in '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
    eval "[ -z \"\${$name+set}\" ]" || continue
    case $value in
      \"*\") value=${value#\"} value=${value%\"} ;;
      \'*\') value=${value#\'} value=${value%\'} ;;
    esac
    export "$name=$value"
  done <"$settings"
fi
MILLRACE_DATA=${MILLRACE_DATA:-/var/lib/millrace}
export MILLRACE_DATA
exec /usr/lib/millrace/bin/millrace "$@"
