#!/usr/bin/env node
// `npx millrace <command>`: installs what is missing, then runs the command on the pinned Node.
import { join } from 'node:path'
import { buildConsole, install, pinnedNode, root, run, tell } from './install.mjs'

try {
  await install()
  const [command] = process.argv.slice(2)
  if (command === 'start') await buildConsole()
  const cli = join(root, 'server', 'src', 'cli', 'index.ts')
  process.exitCode = await run(pinnedNode(), [cli, ...process.argv.slice(2)])
} catch (error) {
  tell(`millrace: ${error.message}`)
  process.exitCode = 1
}
