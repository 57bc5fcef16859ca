import type { MillraceClient } from '@millrace/client'
import { type Context, exitCodes, UsageError } from './command.ts'
import { findConnection, openClient } from './connection/connect.ts'
import { askYes } from './input.ts'
import { Output, wantsColour } from './output/output.ts'
import type { Parsed } from './program.ts'

/** Runs a parsed command; Ctrl-C aborts it. Returns the exit code. */
export async function runParsed({ command, values }: Parsed): Promise<number> {
  const interrupt = new AbortController()
  const stop = () => {
    // A second one ends a command that does not end by itself.
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted)
    interrupt.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  const out = new Output({
    json: values.json === true,
    colour: values['no-color'] !== true && wantsColour(process.env),
  })
  try {
    const code = await command.run(values as never, contextOf(values, out, interrupt.signal))
    return code ?? exitCodes.done
  } catch (error) {
    if (interrupt.signal.aborted) return exitCodes.interrupted
    throw error
  }
}

function contextOf(values: Parsed['values'], out: Output, signal: AbortSignal): Context {
  let opened: MillraceClient | undefined
  const isConfirmed = values.yes === true
  const connection = () =>
    findConnection({ url: textOf(values.url), profile: textOf(values.profile) }, process.env)
  return {
    out,
    signal,
    connection,
    async client(options = {}) {
      const business = textOf(values.business)
      opened ??= openClient(connection(), Object.assign({ business }, options))
      return opened
    },
    isConfirmed,
    async confirm(question) {
      if (isConfirmed) return
      if (process.stdin.isTTY !== true) throw new UsageError('--yes is missing: this destroys data')
      if (!(await askYes(question))) throw new UsageError('nothing was done')
    },
  }
}

function textOf(value: Parsed['values'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined
}
