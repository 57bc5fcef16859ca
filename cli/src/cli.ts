import { exitCodes } from './command.ts'
import { isForServer, serverCommands } from './local-commands.ts'
import { run } from './run.ts'
import { thisProcess } from './this-process.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const interrupted = new AbortController()

function interrupt(): void {
  // A second one ends a command that does not end by itself.
  if (interrupted.signal.aborted) process.exit(exitCodes.interrupted)
  interrupted.abort()
}

function watch(): AbortSignal {
  const isWatched = process.listeners('SIGINT').includes(interrupt)
  if (!isWatched) for (const name of signals) process.on(name, interrupt)
  return interrupted.signal
}

if (process.channel !== undefined) {
  // The launcher that started it is gone.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
for (const stream of [process.stdout, process.stderr]) {
  stream.once('error', (error: NodeJS.ErrnoException) => {
    // The reader has enough, or the terminal is gone: `millrace solution logs --follow | head`.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    process.exit(exitCodes.done)
  })
}
const args = process.argv.slice(2)
const server = isForServer(args) ? await serverCommands() : undefined
process.exitCode = await (server?.launch(args) ?? run(args, thisProcess({ watch, interrupt })))
