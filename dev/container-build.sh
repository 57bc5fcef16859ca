#!/bin/sh
# Builds the image of the Containerfile with buildah, and serves from it until SIGTERM. As root:
#   npm run release && sh dev/container-build.sh release ROOT
# ROOT is a folder with Debian 12 (debootstrap --variant=minbase bookworm ROOT), which stands in
# for the base image: no registry is asked. Images lie in a folder that goes at the end.
set -eu
release=$1 root=$(realpath "$2")
port=${PORT:-18080}
store=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
build() { buildah --root "$store/images" --runroot "$store/run" "$@"; }
end() {
  build rm --all >"$store/log" 2>&1 || true
  rm -rf "$store"
}
trap end EXIT

base=$(build from scratch)
build copy -q "$base" "$root" / >"$store/log"
build commit -q "$base" "$(sed -n 's/^FROM *//p' "$release/Containerfile")" >"$store/log"
deb=$(basename "$(ls "$release"/millrace_*.deb)")
build build --pull=never --network host -f "$release/Containerfile" --build-arg "DEB=$deb" \
  -t millrace "$release" >"$store/log" 2>&1 || { cat "$store/log" && exit 1; }

# ENTRYPOINT and CMD, at ports of the loopback address.
container=$(build from --pull=never localhost/millrace)
command=$(sed -n 's/^\(ENTRYPOINT\|CMD\) *//p' "$release/Containerfile" | tr -d '[]",')
free="-e MILLRACE_HTTP=127.0.0.1:$port -e MILLRACE_DEVICE_TLS=127.0.0.1:0"
build run --network host $free -e MILLRACE_MQTT_TLS=127.0.0.1:0 "$container" -- \
  $command >"$store/serve" 2>&1 &
pid=$!
tries=0
until curl -fsS "http://127.0.0.1:$port/healthz" 2>/dev/null; do
  tries=$((tries + 1))
  if [ "$tries" -gt 120 ] || ! kill -0 "$pid" 2>/dev/null; then
    cat "$store/serve"
    echo 'container-build: the instance does not answer' >&2
    exit 1
  fi
  sleep 1
done
echo

# The processes of the container are those that have another root.
inside() {
  for one in /proc/[0-9]*; do
    case $(readlink "$one/root" 2>/dev/null) in
      */buildah*/mnt/rootfs) echo "${one#/proc/}" ;;
    esac
  done
}
# As an engine does: to the process that ENTRYPOINT names, not to buildah's around it.
for one in $(inside); do
  case $(readlink "/proc/$one/exe") in */node) kill -TERM "$one" ;; esac
done
wait "$pid"
left=$(inside)
[ -z "$left" ] || { echo "container-build: left behind: $left" >&2 && exit 1; }
echo 'container-build: built, served and stopped'
