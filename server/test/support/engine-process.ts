import { createInterface } from 'node:readline'
import { startEngine } from '../../src/database/embedded/index.ts'
import { createLogger } from '../../src/kernel/index.ts'

/**
 * Run as a process: starts the engine of the given data directory, says its process id on a line,
 * and stops it (or only leaves, as its kind is) when it is told `stop`; at the end of its input it
 * has nothing left to do.
 */
const [dataDir = '', kind] = process.argv.slice(2)
const engine = await startEngine({
  dataDir,
  owner: kind === 'owner',
  logger: createLogger('silent'),
})
const address = await engine.database('postgres')
process.stdout.write(`${JSON.stringify({ pid: engine.pid, address })}\n`)
for await (const line of createInterface(process.stdin)) {
  if (line === 'stop') await engine.stop()
}
