import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Engine, startEngine, worksOn } from '../../src/database/embedded/index.ts'
import { createLogger } from '../../src/kernel/index.ts'
import { atEnd } from './ends.ts'

const logger = createLogger('silent')

export const isRoot = process.getuid?.() === 0
/** A user who is not root, has no rights and exists on every Linux. */
export const ordinary = { uid: 65534, gid: 65534 }

/** A folder of the test's own, which others may pass through, gone with its engine after it. */
export async function testFolder(t: Pick<TestContext, 'after'>, mode = 0o711): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-launch-'))
  await chmod(folder, mode)
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  return folder
}

/** Starts an engine or attaches to one, and stops it after the test. */
export async function testEngineOf(
  t: Pick<TestContext, 'after'>,
  dataDir: string,
  owner = true,
): Promise<Engine> {
  const engine = await startEngine({ dataDir, owner, logger })
  atEnd(t, () => engine.stop())
  return engine
}

export type EngineProcess = {
  readonly child: ChildProcess
  /** The server's process id. */
  readonly pid: number
  readonly address: pg.ClientConfig
  /** Tells it to stop, and waits for the end of the process. */
  stop(): Promise<void>
  /** Ends its input, and waits for the end of the process. */
  finish(): Promise<void>
  /** Ends the process as a power cut would. */
  kill(): Promise<void>
}

export type ProcessOptions = {
  readonly kind?: 'owner' | 'visitor'
  readonly user?: { readonly uid: number; readonly gid: number }
  readonly env?: Readonly<Record<string, string>>
  /** Another copy of engine-process.ts. */
  readonly script?: string
}

/** A process that starts the engine or attaches to it. @throws Error with what it says. */
export async function engineProcess(
  t: Pick<TestContext, 'after'>,
  dataDir: string,
  options: ProcessOptions = {},
): Promise<EngineProcess> {
  const child = spawnEngineProcess(t, dataDir, options)
  let complaint = ''
  child.stderr?.on('data', (data: Buffer) => {
    complaint += data.toString()
  })
  const ended = once(child, 'exit')
  const first = await createInterface(child.stdout as NodeJS.ReadableStream)
    [Symbol.asyncIterator]()
    .next()
  if (first.done) throw new Error(`the engine's process ended: ${complaint}`)
  const said = JSON.parse(first.value) as { pid: number; address: pg.ClientConfig }
  const end = async (input: string) => {
    child.stdin?.end(input)
    await ended
  }
  return {
    child,
    ...said,
    stop: () => end('stop\n'),
    finish: () => end(''),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The same, without waiting for anything. */
export function spawnEngineProcess(
  t: Pick<TestContext, 'after'>,
  dataDir: string,
  { kind = 'owner', user, env, script }: ProcessOptions = {},
): ChildProcess {
  const child = spawn(
    process.execPath,
    [script ?? join(import.meta.dirname, 'engine-process.ts'), dataDir, kind],
    { stdio: 'pipe', env: { ...process.env, ...env }, ...user },
  )
  atEnd(t, () => child.kill('SIGKILL'))
  return child
}

/** Asks one question of a database of an engine. */
export async function ask(address: pg.ClientConfig, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ ...address })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** Waits, within bounds, for what another process does. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await holds()) return
    await delay(10)
  }
  throw new Error('it did not come to pass')
}

/** Waits until no server with that id works on the data directory. */
export function untilGone(pid: number, dataDir: string): Promise<void> {
  return until(async () => !(await worksOn(pid, join(dataDir, 'postgres'))))
}
