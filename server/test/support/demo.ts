import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Demo } from '../../../dev/demo/seed.ts'
import { waitMsMax } from './bounds.ts'
import { testAddress, testEngine } from './database.ts'
import { atEnd } from './ends.ts'

const up = join(import.meta.dirname, '..', '..', '..', 'dev', 'up.ts')

/** What `npm start` starts, in a process of its own. */
export type StartedDemo = {
  readonly demo: Demo
  readonly printed: string
  /** As Ctrl-C does. @returns its exit code. */
  stop(): Promise<number | null>
}

type Settings = Readonly<Record<string, string>>

/** An environment with a data folder and free ports, for one start or several. */
export async function demoSettings(t: Pick<TestContext, 'after'>): Promise<Settings> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-start-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return {
    MILLRACE_DATA: join(folder, '.millrace'),
    MILLRACE_HTTP: '127.0.0.1:0',
    MILLRACE_DEVICE_TLS: '127.0.0.1:0',
    MILLRACE_MQTT_TLS: '127.0.0.1:0',
    DATABASE_URL: testEngine === 'external' ? ((await testAddress(t)).url ?? '') : '',
  }
}

export async function startDemo(
  t: Pick<TestContext, 'after'>,
  settings: Settings,
): Promise<StartedDemo> {
  const child = spawn(process.execPath, [up], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => end(child, 'SIGKILL'))
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  await comes(async () => (printed.includes('Ctrl-C stops it') ? true : undefined))
  const file = join(settings.MILLRACE_DATA ?? '', 'demo.json')
  const demo = JSON.parse(await readFile(file, 'utf8')) as Demo
  return { demo, printed, stop: () => end(child, 'SIGINT') }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'exit')
  }
  return child.exitCode
}

/** Asks again until there is an answer. */
export async function comes<Result>(ask: () => Promise<Result | undefined>): Promise<Result> {
  const deadline = Date.now() + waitMsMax
  for (;;) {
    const result = await ask()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error('waited too long')
    await pause(50)
  }
}
