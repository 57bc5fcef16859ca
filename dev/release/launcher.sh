#!/bin/sh
# Runs a command of Millrace on the Node of this release, or on the machine's own (24.21 or later).
here=$(dirname "$(readlink -f "$0")")/..
if [ -x "$here/node/bin/node" ]; then node=$here/node/bin/node; else node=node; fi
exec "$node" "$here/cli/src/main.ts" "$@"
