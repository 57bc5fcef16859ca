import assert from 'node:assert/strict'
import { serve } from '../../../server/src/main.ts'
import { wholeView } from '../../../server/src/people/groups/index.ts'
import type { Platform, Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type Called, keepCalling } from '../scripts/script-work.ts'
import { type PipelineEffects, SeenEffects } from './commits.ts'
import { type Fleet, type Instance, makeFleet, openInstance } from './instance.ts'

/** The platform with fleets whose assets have no link, a transform, a rule, or both. */

const fleetKinds = ['unlinked', 'transform', 'rule', 'both'] as const
export type FleetKind = (typeof fleetKinds)[number]

export type OpenPipelines = {
  readonly address: Address
  readonly devices: number
  readonly modulePort: number
}
export type OpenedPipelines = {
  readonly port: number
  readonly fleets: Readonly<
    Record<FleetKind, { readonly host: string; readonly tokens: readonly string[] }>
  >
  /** The body of a call, as the module gets it. */
  readonly body: object
}

export type ModuleCalls = {
  /** Entries that are under way at once, each of another device. */
  readonly entries: number
  readonly seconds: number
  /** Values of one entry. */
  readonly values: number
}

const warning = 1_000_000_000

let instance: Instance | undefined
let served: Served | undefined
const fleets = new Map<FleetKind, Fleet>()
const effectsSeen = new SeenEffects()

async function open({ address, devices, modulePort }: OpenPipelines): Promise<OpenedPipelines> {
  const host = `127.0.0.1:${modulePort}`
  instance = await openInstance(address, [host])
  const { platform } = instance
  effectsSeen.watch(platform)
  for (const kind of fleetKinds) {
    fleets.set(kind, await makeFleet(platform, devices, kind))
    await linkFleet(platform, kind, `http://${host}`)
  }
  await platform.database.run('analyze')
  served = await serve(platform)
  const port = Number(new URL(served.httpUrl).port)
  const opened = fleetKinds.map((kind) => {
    const { connectorId, tokens } = getFleet(kind)
    return [kind, { host: `${connectorId}.${platform.config.domain}`, tokens }] as const
  })
  return { port, fleets: Object.fromEntries(opened) as OpenedPipelines['fleets'], body: makeBody() }
}

function getFleet(kind: FleetKind): Fleet {
  return fleets.get(kind) ?? assert.fail()
}

/** A request of the size of those that the module gets. */
function makeBody(): object {
  const { connectorId } = getFleet('transform')
  const origin = `${connectorId}.device-0.temperature`
  const tags = { inlet: '0', signal: 's'.repeat(16), asset: 'a'.repeat(16) }
  const ts = 1_795_000_000_000_000
  const datum = { ts, value: 21.5, origin, generated: origin, ttl: 20, gts: ts, tags }
  return { id: 'l'.repeat(16), data: [datum], args: { function_id: 'echo', constants: {} } }
}

async function linkFleet(platform: Platform, kind: FleetKind, url: string): Promise<void> {
  const { assets, pipelines } = platform
  const { businessId, identities } = getFleet(kind)
  const { id: moduleId } = await pipelines.modules.add(businessId, { url })
  const link = async (assetId: string, from: string, function_: object) => {
    const inlets = [{ signalId: from }]
    const made = await pipelines.links.create(wholeView(businessId), {
      ...{ assetId, inlets, moduleId: 'builtin', functionId: 'threshold' },
      ...function_,
    })
    return made.outlets[0] ?? ''
  }
  const echo = { moduleId, functionId: 'echo' }
  const rule = { constants: { warning } }
  for (let offset = 0; offset < identities.length; offset += 100) {
    for (const { id } of await assets.list(wholeView(businessId), { limit: 100, offset })) {
      const [signal] = await assets.signals.ofAssets(wholeView(businessId), [id])
      let last = signal?.id ?? ''
      if (kind === 'transform' || kind === 'both') last = await link(id, last, echo)
      if (kind === 'rule' || kind === 'both') last = await link(id, last, rule)
      const found = await assets.signals.some(wholeView(businessId), [last])
      for (const { key } of found) effectsSeen.ends.add(key)
    }
  }
}

/** Waits for the effects of so many writes, not for ever. */
async function effects({ writes }: { readonly writes: number }): Promise<PipelineEffects> {
  const found = await effectsSeen.take(writes)
  await instance?.platform.pipelines.caughtUp()
  return found
}

let lastNumber = 0

/** Entries of so many devices, each after the effect of the one before. */
async function calls({ entries, seconds, values }: ModuleCalls): Promise<Called> {
  const called = await keepCalling({ inFlight: entries, seconds, asks: false }, async (slot) => {
    const numbers = Array.from({ length: values }, () => ++lastNumber)
    const last = numbers.at(-1) ?? 0
    const there = new Promise<void>((resolve) => void effectsSeen.waiters.set(last, resolve))
    await append(slot, numbers)
    await there
  })
  effectsSeen.forget()
  return called
}

async function append(slot: number, numbers: readonly number[]): Promise<void> {
  const { eventlog, clock } = instance?.platform ?? assert.fail()
  const { businessId, connectorId, identities } = getFleet('transform')
  const at = clock.nowUs()
  const payload = numbers.map((number, place) => {
    return { timestamp: at + place + 1, values: { temperature: String(number) } }
  })
  await eventlog.append({
    ...{ businessId, connectorId, identity: identities[slot] ?? '', at, kind: 'write' },
    body: { ip: '127.0.0.1', protocol: 'http', payload },
  })
}

answerParent({ open, effects, calls }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
