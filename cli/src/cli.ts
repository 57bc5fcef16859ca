import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@millrace/client'
import { CommanderError } from 'commander'
import { exitCodes, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { wordsFor } from './completion.ts'
import { localCommands, serverCommands } from './local.ts'
import { errorSentence } from './output/error-sentence.ts'
import { parseCommandLine } from './program.ts'
import { runParsed } from './run.ts'

/** Runs a command line. Returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === 'completion' && args[1] === 'words') return await printWords(args.slice(3))
    if (isForServer(args)) return await runOnServer(args)
    const parsed = await parseCommandLine(args, {
      commands,
      local: localCommands,
      version: version(),
    })
    return parsed === undefined ? exitCodes.usage : await runParsed(parsed)
  } catch (error) {
    return codeOf(error, args)
  }
}

/** Called by the scripts of `millrace completion`, with the words behind a `--`. */
async function printWords(words: readonly string[]): Promise<number> {
  const found = await wordsFor(words, commands, Object.keys(localCommands))
  for (const word of found) process.stdout.write(`${word}\n`)
  return exitCodes.done
}

function isForServer(args: readonly string[]): boolean {
  const names = [1, 2].map((words) => args.slice(0, words).join(' '))
  return names.some((name) => Object.hasOwn(localCommands, name))
}

async function runOnServer(args: readonly string[]): Promise<number> {
  const server = await serverCommands()
  if (server !== undefined) return server.runCommand(args)
  throw new UsageError('this command runs where the server is installed, which it is not here')
}

function codeOf(error: unknown, args: readonly string[]): number {
  if (error instanceof CommanderError) {
    const isHelp = error.exitCode === 0 || (/help/.test(error.code) && args.includes('--help'))
    return isHelp ? exitCodes.done : exitCodes.usage
  }
  process.stderr.write(`millrace: ${errorSentence(error as Error, args[0])}\n`)
  if (error instanceof UsageError) return exitCodes.usage
  const refused = error instanceof ApiError && (error.status === 401 || error.status === 403)
  return refused ? exitCodes.refused : exitCodes.failed
}

function version(): string {
  const manifest = join(import.meta.dirname, '..', 'package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
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
process.exitCode = await main(process.argv.slice(2))
