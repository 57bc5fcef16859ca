import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, type MillraceClient } from '@millrace/client'
import { CommanderError } from 'commander'
import { type Call, callOperation, type OperationId } from './call.ts'
import { type Context, exitCodes } from './command.ts'
import { wordsFor } from './completion.ts'
import { findConnection, openClient } from './connection/connect.ts'
import { Input } from './input.ts'
import { type Invocation, UsageError } from './invocation.ts'
import { isForServer, localCommands, serverCommands } from './local-commands.ts'
import { errorSentence } from './output/error-sentence.ts'
import { Output, wantsColour } from './output/output.ts'
import { type Parsed, parseCommandLine } from './program.ts'

/** Runs a command line. Returns the exit code. */
export async function run(args: readonly string[], invocation: Invocation): Promise<number> {
  try {
    if (args[0] === 'completion' && args[1] === 'words') return await printWords(args, invocation)
    if (isForServer(args)) return await runOnServer(args, invocation)
    const { stdout, stderr } = invocation
    const options = { local: localCommands, version: version(), stdout, stderr }
    const parsed = await parseCommandLine(args, options)
    return parsed === undefined ? exitCodes.usage : await runParsed(parsed, invocation)
  } catch (error) {
    return exitCodeFor(error, args, invocation)
  }
}

/** Called by the scripts of `millrace completion`, with the words behind a `--`. */
async function printWords(args: readonly string[], { stdout }: Invocation): Promise<number> {
  const found = await wordsFor(args.slice(3), Object.keys(localCommands))
  for (const word of found) stdout.write(`${word}\n`)
  return exitCodes.done
}

async function runOnServer(args: readonly string[], invocation: Invocation): Promise<number> {
  const server = await serverCommands()
  if (server !== undefined) return server.runCommand(args, invocation)
  throw new UsageError('this command runs where the server is installed, which it is not here')
}

async function runParsed({ command, values }: Parsed, invocation: Invocation): Promise<number> {
  try {
    const code = await command.run(values as never, makeContext(values, invocation))
    return typeof code === 'number' ? code : exitCodes.done
  } catch (error) {
    if (invocation.signal.aborted) return exitCodes.interrupted
    throw error
  }
}

function makeContext(values: Parsed['values'], invocation: Invocation): Context {
  const { env, stdout, signal } = invocation
  const colour = values['no-color'] !== true && wantsColour(env, stdout)
  const input = new Input(invocation)
  let opened: MillraceClient | undefined
  const isConfirmed = values.yes === true
  const connection = () =>
    findConnection(
      { url: textOrUndefined(values.url), profile: textOrUndefined(values.profile) },
      invocation,
    )
  const client: Context['client'] = async (options = {}) => {
    const business = textOrUndefined(values.business)
    opened ??= openClient(connection(), Object.assign({ business }, options))
    return opened
  }
  return {
    out: new Output({ json: values.json === true, colour }, invocation),
    input,
    signal,
    invocation,
    connection,
    client,
    // The types of the API go with the id.
    call: (async (id: OperationId, given?: object, body?: unknown) =>
      callOperation(await client(), id, given, body)) as Call,
    isConfirmed,
    async confirm(question) {
      if (isConfirmed) return
      if (!input.isTerminal) throw new UsageError('--yes is missing: this destroys data')
      if (!(await input.askYes(question))) throw new UsageError('nothing was done')
    },
  }
}

function textOrUndefined(value: Parsed['values'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function exitCodeFor(error: unknown, args: readonly string[], { stderr }: Invocation): number {
  if (error instanceof CommanderError) {
    const isHelp = error.exitCode === 0 || (/help/.test(error.code) && args.includes('--help'))
    return isHelp ? exitCodes.done : exitCodes.usage
  }
  stderr.write(`millrace: ${errorSentence(error as Error, args[0])}\n`)
  if (error instanceof UsageError) return exitCodes.usage
  const refused = error instanceof ApiError && (error.status === 401 || error.status === 403)
  return refused ? exitCodes.refused : exitCodes.failed
}

function version(): string {
  const manifest = join(import.meta.dirname, '..', 'package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
