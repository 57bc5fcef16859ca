#!/usr/bin/env node
// `npx millrace <command>`: runs a command on the pinned Node. Only `start` installs packages.
import { join } from 'node:path'
import { buildConsole, prepareStart } from './build.mjs'
import { generate } from './generated.mjs'
import { installed, pinnedNode, refuseOldNode, root, run, tell } from './install.mjs'

try {
  refuseOldNode()
  const args = process.argv.slice(2)
  const starts = args.length === 1 && args[0] === 'start'
  if (starts) await prepareStart()
  else if (!installed('run')) {
    throw new Error('its packages are not installed; npm start installs them and runs the platform')
  } else await generate()
  if (args[0] === 'serve') await buildConsole()
  const script = starts ? join(root, 'dev', 'up.ts') : join(root, 'cli', 'src', 'main.ts')
  process.exitCode = await run(pinnedNode(), [script, ...(starts ? [] : args)], { channel: true })
} catch (error) {
  tell(`millrace: ${error.message}`)
  process.exitCode = 1
}
