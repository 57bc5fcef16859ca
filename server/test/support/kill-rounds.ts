import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { comes } from './demo.ts'
import { type InstanceProcess, startInstance } from './instance-process.ts'
import { startLoad, type Writer } from './kill-load.ts'
import type { Killable } from './killable.ts'
import { steppedClock } from './set-clock.ts'

/** What one round does to an instance under load, which has ended after it. */
type Act = (round: Round) => Promise<void>

type Round = {
  readonly at: number
  readonly instance: InstanceProcess
  readonly killable: Killable
  readonly writers: readonly Writer[]
  /** Sets the clock of the instance off by this. */
  setOff(ms: number): void
  /** A random moment of the load. */
  aMoment(): Promise<void>
}

const mib = 1024 ** 2
const day = 86_400_000
const signalEveryMs = 100

const kill: Act = ({ instance }) => instance.kill()

const killBoth: Act = async ({ instance, killable }) => {
  const engine = await killable.enginePid()
  await instance.kill()
  if (engine !== undefined) process.kill(engine, 'SIGKILL')
}

function signalled(name: NodeJS.Signals): Act {
  return async ({ instance }) => {
    instance.signal(name)
    assert.equal(await instance.ended, 0, name)
  }
}

/** A request that does not end keeps the first SIGINT from ending the instance. */
const interruptedTwice: Act = async ({ instance, writers }) => {
  const { hostname, port, host } = new URL(instance.httpUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const token = writers[0]?.token
  socket.write(`POST /vendor:v1/stack/alias HTTP/1.1\r\nHost: ${host}\r\n`)
  socket.write(`X-vendor-CIK: ${token}\r\nContent-Length: 9\r\n\r\nn=`)
  const over = instance.ended.then(() => true)
  do instance.signal('SIGINT')
  while (!(await Promise.race([over, pause(signalEveryMs, false)])))
  socket.destroy()
}

/** Every other one lasts over the kill and the next start. */
function stepped(ms: number): Act {
  return async ({ at, instance, setOff, aMoment }) => {
    setOff(ms)
    await aMoment()
    if (at % 2 === 0) {
      setOff(0)
      await aMoment()
    }
    await instance.kill()
  }
}

/** Of those in every other round, every second one ends by a kill while nothing can be written. */
const fullDisk: Act = async ({ at, instance, killable, writers, aMoment }) => {
  const killedWhileFull = Math.floor(at / 2) % 2 === 1
  const filler = join(killable.settings.MILLRACE_DATA ?? '', 'filler')
  fill(filler)
  await comes(async () => ((await healthOf(instance)) === 503 ? true : undefined))
  if (killedWhileFull) await instance.kill()
  rmSync(filler)
  if (killedWhileFull) return
  await comes(async () => ((await healthOf(instance)) === 200 ? true : undefined))
  const before = writers.map(({ acknowledged }) => acknowledged.length)
  const goesOn = () => writers.every((one, n) => one.acknowledged.length > (before[n] ?? 0))
  await comes(async () => (goesOn() ? true : undefined))
  await aMoment()
  await instance.kill()
}

async function healthOf({ httpUrl }: InstanceProcess): Promise<number> {
  const answer = await fetch(`${httpUrl}/healthz`)
  await answer.arrayBuffer()
  return answer.status
}

function fill(file: string): void {
  for (let size = mib; size >= 512; size /= 2) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size))
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
    }
  }
}

export const kills: Readonly<Record<string, Act>> = {
  'kill -9': kill,
  'kill -9 with PostgreSQL': killBoth,
}

export const otherEnds: Readonly<Record<string, Act>> = {
  SIGTERM: signalled('SIGTERM'),
  'SIGINT twice': interruptedTwice,
  SIGHUP: signalled('SIGHUP'),
  'a second forward': stepped(1_000),
  'a second back': stepped(-1_000),
  'a day forward': stepped(day),
  'a day back': stepped(-day),
  'ten years forward': stepped(3_650 * day),
  'ten years back': stepped(-3_650 * day),
}

/** Only where the data lie on a disk of their own. */
export const fullDisks: Readonly<Record<string, Act>> = { 'full disk': fullDisk }

export type RoundsOptions = {
  readonly killable: Killable
  readonly writers: readonly Writer[]
  /** What the rounds do, in turns. */
  readonly turns: readonly (readonly [name: string, act: Act])[]
  readonly count: number
  /** Looks at what is stored, when the next instance has started and before devices write. */
  readonly check: (round: string) => Promise<void>
}

/** Starts the instance, lets devices write, and ends it in one of these ways, again and again. */
export async function rounds(options: RoundsOptions): Promise<void> {
  const { killable, writers, turns, count, check } = options
  const { setOff, settings: moved } = steppedClock(killable.settings.MILLRACE_DATA ?? '')
  let last = 'nothing'
  for (let at = 0; at < count; at += 1) {
    const [name, act] = turns[at % turns.length] ?? assert.fail('there is no turn')
    const instance = await startInstance({ ...killable.settings, ...moved })
    try {
      await check(`round ${at - 1}: ${last}`)
      const load = startLoad(instance.httpUrl, writers)
      const aMoment = () => pause(40 + Math.random() * 360)
      await aMoment()
      setOff(0)
      await act({ at, instance, killable, writers, setOff, aMoment })
      await load.stop()
    } finally {
      await instance.kill()
    }
    last = name
  }
}
