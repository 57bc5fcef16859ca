import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Caller } from '../../conformance/caller.ts'

/** The program of a module's author, while it is served. */
export type Program = {
  /** Resolves when it has ended by itself or was stopped. */
  readonly ended: Promise<unknown>
  stop(): Promise<void>
}

type ProgramOptions = {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const killMs = 3_000
const pollMs = 50

/** Starts a program; HOST and PORT give the address that it listens on. */
export function startProgram(
  [file = '', ...args]: readonly string[],
  address: URL,
  { folder: cwd, env: own }: ProgramOptions,
): Program {
  const env = { ...own, HOST: address.hostname, PORT: address.port }
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const failed = new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${file} does not start: ${error.message}`)
      resolve(error)
    })
  })
  const ended = Promise.race([failed, once(child, 'exit').catch(() => undefined)])
  return { ended, stop: () => stop(child, ended) }
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), killMs)
  await ended
  clearTimeout(kill)
}

/** Waits until a program answers at its address. Returns false if it ended, or is to stop. */
export async function isServed(
  program: Program,
  { get }: Caller,
  signal: AbortSignal,
): Promise<boolean> {
  let hasEnded = false
  program.ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded && !signal.aborted) {
    const { unreachable } = await get('/info')
    if (unreachable === undefined) return !hasEnded
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return false
}
