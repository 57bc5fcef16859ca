#!/bin/sh
# Runs the steps of the Containerfile without an engine for containers: in a chroot, as root.
#   npm run release && sh dev/container-check.sh release ROOT
# ROOT is a folder with Debian 12, such as debootstrap makes:
#   debootstrap --variant=minbase bookworm ROOT
# The package is installed there, and its command serves as the image's user until SIGTERM.
set -eu
# Mounts of its own, which end with it.
[ "${OWN_MOUNTS:-}" = yes ] ||
  exec env OWN_MOUNTS=yes unshare --mount --propagation private sh "$0" "$@"
release=$1 root=$2
containerfile="$release/Containerfile"
value() { sed -n "s/^$1 *//p" "$containerfile"; }
deb=$(ls "$release"/millrace_*.deb)
port=${PORT:-18080}

cp "$deb" "$root/tmp/millrace.deb"
for folder in proc dev sys; do mount --rbind "/$folder" "$root/$folder"; done

# RUN: one command over several lines.
steps=$(sed -n '/^RUN /,/[^\\]$/p' "$containerfile" | sed 's/^RUN //')
chroot "$root" sh -ec "$steps"

# ENV, USER, WORKDIR, ENTRYPOINT and CMD, at ports of the loopback address.
user=$(value USER) folder=$(value WORKDIR)
entry=$(value ENTRYPOINT | tr -d '[]",')
command=$(value CMD | tr -d '[]",')
free="MILLRACE_HTTP=127.0.0.1:$port MILLRACE_DEVICE_TLS=127.0.0.1:0 MILLRACE_MQTT_TLS=127.0.0.1:0"
log="$root/tmp/millrace.log"
chroot --userspec="$user:$user" "$root" sh -c \
  "cd $folder && exec env HOME=$folder MILLRACE_DATA=$folder $free $entry $command" >"$log" 2>&1 &
pid=$!
tries=0
until curl -fsS "http://127.0.0.1:$port/healthz" 2>/dev/null; do
  tries=$((tries + 1))
  if [ "$tries" -gt 120 ] || ! kill -0 "$pid" 2>/dev/null; then
    cat "$log"
    echo 'container-check: the instance does not answer' >&2
    kill "$pid" 2>/dev/null || true
    exit 1
  fi
  sleep 1
done
echo
kill -TERM "$pid"
wait "$pid"
left=$(for one in /proc/[0-9]*; do
  [ "$(readlink "$one/root")" != "$(realpath "$root")" ] || echo "${one#/proc/}"
done)
if [ -n "$left" ]; then
  echo "container-check: left behind: $left" >&2
  exit 1
fi
echo 'container-check: installed, served and stopped'
