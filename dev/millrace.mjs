#!/usr/bin/env node
// `npx millrace <command>`: installs what is missing, then runs the command on the pinned Node.
import { join } from 'node:path'
import { buildConsole, install, pinnedNode, root, run, tell } from './install.mjs'

try {
  await install()
  const args = process.argv.slice(2)
  const starts = args.length === 1 && args[0] === 'start'
  if (starts) await buildConsole()
  const script = starts ? join(root, 'dev', 'up.ts') : join(root, 'cli', 'src', 'main.ts')
  process.exitCode = await run(pinnedNode(), [script, ...(starts ? [] : args)], { channel: true })
} catch (error) {
  tell(`millrace: ${error.message}`)
  process.exitCode = 1
}
