import type { Start } from '../frame/bench.ts'
import { type Child, readCpuUs } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { makeWriteRequests } from '../load/device-request.ts'
import type { Load, LoadResult } from '../load/generator.ts'
import type { Providers } from '../peers/push-providers.ts'
import { listDocument, listRequest, lists } from '../platform/catalogue.ts'
import type { OpenCatalogue, OpenedCatalogue } from '../platform/lists.ts'
import type { Sends } from '../platform/notifications.ts'
import type { OpenedPlatform } from '../platform/platform.ts'
import type { Called } from '../scripts/script-work.ts'
import type { Window } from './verdict.ts'

/** A kind of request whose cost is guarded: so many of them, in the process that is measured. */
type Guarded = {
  readonly child: Child
  /** @returns how many requests were made. */
  run(): Promise<number>
}

type Parts = { readonly start: Start; readonly database: () => Promise<Address> }

const secondsMax = 120
const calibrationTurns = 20
const warmUps = 4
/** Seldom: a slow machine would else look more often. */
const pollMs = 200

/** Numbers, not times: a slow machine makes the same requests, in batches of the same size. */
const sizes = { writes: 1_500, lists: 250, calls: 4_000, bindings: 1_500 }

/** Opens all of them, and runs each until its code is compiled. */
export async function openGuarded(parts: Parts): Promise<ReadonlyMap<string, Guarded>> {
  const generator = parts.start('load/generator')
  const guarded = new Map([
    ['device write', await openWrites(parts, generator)],
    ['GraphQL list', await openLists(parts, generator)],
    ['script call', openScripts(parts)],
    ['notification', await openNotifications(parts)],
  ])
  for (const { child, run } of guarded.values()) {
    for (let time = 0; time < warmUps; time += 1) {
      await calibrate(child)
      await run()
    }
  }
  return guarded
}

/** Requests between two calibrations, all within a second or two. */
export async function measureWindow({ child, run }: Guarded): Promise<Window> {
  const beforeUs = await calibrate(child)
  const before = await readCpuUs(child)
  const requests = await run()
  const cpuUs = ((await readCpuUs(child)) - before) / requests
  return { cpuUs, beforeUs, afterUs: await calibrate(child) }
}

function calibrate(child: Child): Promise<number> {
  return child.ask<number>('calibrate', { turns: calibrationTurns })
}

/**
 * All that follows from the writes is done in the window, but after them: how many entries a
 * consumer finds at once would else depend on the time.
 */
async function openWrites({ start, database }: Parts, generator: Child): Promise<Guarded> {
  const child = start('platform/platform')
  const connections = 64
  const asked = { address: await database(), devices: connections, consumers: true }
  const opened = await child.ask<OpenedPlatform>('open', asked)
  const load = { port: opened.port, connections, requests: makeWriteRequests(opened) }
  return {
    child,
    async run() {
      await child.ask('hold')
      const answers = await countAnswers(generator, { ...load, answersMax: sizes.writes })
      await child.ask('settle')
      return answers
    },
  }
}

async function openLists({ start, database }: Parts, generator: Child): Promise<Guarded> {
  const child = start('platform/lists')
  const asked: OpenCatalogue = { address: await database(), assets: 100 }
  const { port, token } = await child.ask<OpenedCatalogue>('openPlatform', asked)
  const body = JSON.stringify({ query: listDocument(lists[1]) })
  const requests = [listRequest('/api/graphql', body, token)]
  const load = { port, connections: 16, requests, answersMax: sizes.lists }
  return { child, run: () => countAnswers(generator, load) }
}

function openScripts({ start }: Parts): Guarded {
  const child = start('scripts/script-callers')
  const asked = { inFlight: 50, asks: true, seconds: secondsMax, callsMax: sizes.calls }
  return { child, run: async () => (await child.ask<Called>('callHost', asked)).calls }
}

async function openNotifications({ start, database }: Parts): Promise<Guarded> {
  const providers = await start('peers/push-providers').ask<Providers>('open')
  const child = start('platform/notifications')
  const { bindings } = sizes
  await child.ask('open', { address: await database(), providers, bindings })
  const asked: Sends = { channel: 'apn', pollMs }
  return { child, run: async () => (await child.ask<Called>('run', asked)).calls }
}

async function countAnswers(
  generator: Child,
  load: Omit<Load, 'warmUpSeconds' | 'seconds'>,
): Promise<number> {
  const asked: Load = { ...load, warmUpSeconds: 0, seconds: secondsMax }
  const { answers, failures } = await generator.ask<LoadResult>('run', asked)
  if (failures > 0) throw new Error(`${failures} of ${answers} answers were not 2xx`)
  return answers
}
