import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { serve } from '../../../server/src/main.ts'
import { wholeView } from '../../../server/src/people/groups/index.ts'
import type { Platform, Served } from '../../../server/src/platform/platform.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'
import { type PipelineEffects, SeenEffects } from './commits.ts'
import { type Instance, makeFleet, openInstance } from './instance.ts'

/** The platform with assets of three links, of which a tenth have a module of their own. */

export type OpenHanging = {
  readonly address: Address
  readonly devices: number
  readonly modulePort: number
  /** The port of the module that hangs. */
  readonly hungPort: number
}

export type OpenedHanging = {
  readonly port: number
  readonly host: string
  /** Tokens of the devices whose assets have the module that hangs, and of the others. */
  readonly hanging: readonly string[]
  readonly others: readonly string[]
}

const drainMsMax = 120_000
const warning = 1_000_000_000
const oneOf = 10

let instance: Instance | undefined
let served: Served | undefined
const seen = new SeenEffects()

async function open(asked: OpenHanging): Promise<OpenedHanging> {
  const [url = '', hungUrl = ''] = [asked.modulePort, asked.hungPort].map((port) => {
    return `http://127.0.0.1:${port}`
  })
  instance = await openInstance(asked.address, [new URL(url).host, new URL(hungUrl).host])
  const { platform } = instance
  seen.watch(platform)
  const fleet = await makeFleet(platform, asked.devices, 'Hanging')
  const { businessId, connectorId, identities, tokens } = fleet
  const modules = { id: '', hung: '' }
  modules.id = (await platform.pipelines.modules.add(businessId, { url })).id
  modules.hung = (await platform.pipelines.modules.add(businessId, { url: hungUrl })).id
  for (let offset = 0; offset < identities.length; offset += 100) {
    const page = { limit: 100, offset }
    for (const { id, device } of await platform.assets.list(wholeView(businessId), page)) {
      const hangs = identities.indexOf(device?.identity ?? '') % oneOf === 0
      const end = await link(platform, businessId, id, hangs ? modules.hung : modules.id)
      if (hangs) continue
      const found = await platform.assets.signals.some(wholeView(businessId), [end])
      for (const { key } of found) seen.ends.add(key)
    }
  }
  await platform.database.run('analyze')
  served = await serve(platform)
  return {
    port: Number(new URL(served.httpUrl).port),
    host: `${connectorId}.${platform.config.domain}`,
    hanging: tokens.filter((_, at) => at % oneOf === 0),
    others: tokens.filter((_, at) => at % oneOf !== 0),
  }
}

/** A transform of a module, a rule on it, and a function that needs no module. @returns the end. */
async function link(
  { assets, pipelines }: Platform,
  businessId: string,
  assetId: string,
  moduleId: string,
): Promise<string> {
  const view = wholeView(businessId)
  const [signal] = await assets.signals.ofAssets(view, [assetId])
  const made = async (from: string, of: { moduleId: string; functionId: string }) => {
    const constants = of.functionId === 'threshold' ? { warning } : {}
    const given = { assetId, inlets: [{ signalId: from }], constants, ...of }
    return (await pipelines.links.create(view, given)).outlets[0] ?? ''
  }
  const source = signal?.id ?? ''
  await made(source, { moduleId: 'builtin', functionId: 'delta' })
  const transformed = await made(source, { moduleId, functionId: 'echo' })
  return made(transformed, { moduleId: 'builtin', functionId: 'threshold' })
}

function effects({ writes }: { readonly writes: number }): Promise<PipelineEffects> {
  return seen.take(writes)
}

/** Waits until no run waits, so that one side leaves nothing to the next. */
async function drained(): Promise<void> {
  const { eventlog, pipelines } = instance?.platform ?? assert.fail()
  await pipelines.caughtUp()
  const endMs = performance.now() + drainMsMax
  while (performance.now() < endMs) {
    const { stages } = await eventlog.ledger.verify()
    if (stages.every(({ stage, pending }) => stage !== 'functions.runs' || pending === 0)) return
    await pause(50)
  }
  throw new Error('runs still wait')
}

answerParent({ open, effects, drained }, async () => {
  await served?.close()
  await instance?.removeFolder()
})
