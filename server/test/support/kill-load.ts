import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startInstance } from './instance-process.ts'
import type { Killable } from './killable.ts'

/** What one device wrote: numbers counting up, and which of them were acknowledged. */
export type Writer = {
  readonly identity: string
  readonly token: string
  readonly acknowledged: number[]
  next: number
}

export function newWriter(identity: string, token: string): Writer {
  return { identity, token, acknowledged: [], next: 1 }
}

/** How long a device waits after a refusal. */
const refusedMs = 20

export type Kills = {
  readonly count: number
  /** Each comes at a random moment of this time, and takes the engine with it every other time. */
  readonly afterMs: readonly [min: number, max: number]
}

/** Starts the instance, lets devices write, and kills it, again and again. */
export async function killUnderLoad(
  { settings, enginePid }: Killable,
  { count, afterMs: [min, max] }: Kills,
  writers: readonly Writer[],
): Promise<void> {
  for (let kill = 0; kill < count; kill += 1) {
    const instance = await startInstance(settings)
    const load = startLoad(instance.httpUrl, writers)
    await pause(min + Math.random() * (max - min))
    const engine = kill % 2 === 1 ? await enginePid() : undefined
    await instance.kill()
    if (engine !== undefined) process.kill(engine, 'SIGKILL')
    await load.stop()
  }
}

/** Each device writes the next number as soon as the last one was answered, until it fails. */
export function startLoad(url: string, writers: readonly Writer[]) {
  const agent = new Agent({ keepAlive: true })
  let stopped = false
  const running = writers.map(async (writer) => {
    while (!stopped) {
      const value = writer.next
      writer.next += 1
      // Where the instance was killed under the request it is unknown whether that was kept.
      const status = await write(agent, url, writer.token, value).catch(() => undefined)
      if (status === undefined) return
      if (status === 204) writer.acknowledged.push(value)
      else await pause(refusedMs)
    }
  })
  return {
    async stop() {
      stopped = true
      await Promise.all(running)
      agent.destroy()
    },
  }
}

function write(agent: Agent, url: string, token: string, n: number): Promise<number> {
  const options = { agent, method: 'POST', headers: { 'X-vendor-CIK': token } }
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL('/vendor:v1/stack/alias', url), options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(`n=${n}`)
  })
}
