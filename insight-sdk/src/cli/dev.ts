import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { makeCaller } from '../conformance/caller.ts'
import { type Page, servePage } from './dev/page.ts'
import { isServed, type Program, startProgram } from './dev/program.ts'
import { type Line, readServed, runRound } from './dev/round.ts'
import { readRecordings } from './dev/signals.ts'
import { nextChange } from './dev/watch.ts'

export type DevOptions = {
  /** The words of the program, which listens on HOST and PORT; a file alone runs on Node. */
  readonly command: readonly string[]
  /** Recorded signals. Default: signals.json. */
  readonly signals?: string | undefined
  /** The port of the module. Default: any free one. */
  readonly port?: number | undefined
  /** The port of the page. Default: any free one. */
  readonly pagePort?: number | undefined
  /** The folder of the program, which is watched. */
  readonly folder: string
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly print: (line: string) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

const callMsMax = 10_000

/**
 * Runs a module's program, sends signals to each of its functions, and prints the outputs beside
 * the inputs; all of it again at each change of the folder, until the signal.
 *
 * @throws TypeError if there is no program
 */
export async function runDev(options: DevOptions): Promise<void> {
  const { folder, signals = 'signals.json', print, signal } = options
  const command = findCommand(options)
  const address = new URL(`http://127.0.0.1:${options.port ?? (await freePort())}`)
  const page = await servePage(options.pagePort ?? 0)
  print(`the calls are shown at ${page.url}; Ctrl-C ends`)
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  try {
    while (!signal.aborted) {
      const changed = nextChange(folder, signal)
      const program = startProgram(command, address, options)
      await Promise.race([round(program, address, signals, page, options), ended])
      await Promise.race([changed, ended])
      await program.stop()
      if (!signal.aborted) print('\nchanged: it starts again')
    }
  } finally {
    page.close()
  }
}

async function round(
  program: Program,
  address: URL,
  signals: string,
  page: Page,
  { folder, print, signal }: DevOptions,
): Promise<void> {
  const caller = makeCaller(address.href, {}, callMsMax)
  const lines: Line[] = []
  page.show(lines)
  const module = (await isServed(program, caller, signal)) ? await readServed(caller) : 'it ended'
  if (typeof module === 'string') {
    print(`the module is not served: ${module}; it starts again at the next change`)
    return
  }
  try {
    const recordings = await readRecordings(resolve(folder, signals))
    for await (const line of runRound(caller, module, recordings, Date.now())) {
      lines.push(line)
      print(`${line.function}  ${line.input}  ->  ${line.output}`)
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    print(error.message)
  }
}

/** A file runs on Node; without one it is main.js or main.ts of this folder. */
function findCommand({ command, folder }: DevOptions): readonly string[] {
  const [first, ...rest] = command
  const file = first ?? ['main.js', 'main.ts'].find((name) => existsSync(join(folder, name)))
  if (file === undefined) throw new TypeError('there is no main.js or main.ts here: name a program')
  return /\.[cm]?[jt]s$/.test(file) ? [process.execPath, file, ...rest] : [file, ...rest]
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}
