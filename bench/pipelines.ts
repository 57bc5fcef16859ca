import { defineBench, type Given } from './support/frame/bench.ts'
import {
  compareReached,
  formatShares,
  measuredCells,
  measuredHead,
  type Sides,
  toRates,
} from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import { median, print, ratios, table, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, askedSide, type Measured, type Side } from './support/frame/side.ts'
import type { NumberedLoad, NumberedResult } from './support/load/scripted-generator.ts'
import type { Posts } from './support/load/undici-posts.ts'
import type { OpenedModule } from './support/peers/insight-module.ts'
import type { PipelineEffects } from './support/platform/commits.ts'
import type { OpenedHanging, OpenHanging } from './support/platform/hanging-module.ts'
import type { FleetKind, OpenedPipelines } from './support/platform/pipelines.ts'

/**
 * Pipelines of assets. Calls of a module's function beside bare POSTs of undici with the same body:
 * undici keeps as many in flight as a module gets at most; of ours each device has an entry under
 * way, the next one after the effect of the one before. And device writes over HTTP through links
 * beside writes to an asset without one. A write counts when its effect is committed; waits are
 * from its 204 to its effect.
 */
const names = {
  bare: 'undici, bare POSTs',
  calls: 'calls of a transform',
  lists: 'calls with lists of 50',
}
const ways: Readonly<Record<FleetKind, string>> = {
  unlinked: 'no link',
  transform: 'a transform of a module',
  rule: 'a built-in rule',
  both: 'a transform, then a built-in rule',
}
const fleetKinds = Object.keys(ways) as readonly FleetKind[]
const valuesOfList = 50

export const bench = defineBench({
  name: 'pipelines',
  title: ({ connections, rounds, seconds }) =>
    `Pipelines, ${connections} connections, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 256, 'in-flight': 48, assets: 1_000 },
  goals: {
    calls: { subject: 'calls of one transform', unit: 'of bare undici POSTs', atLeast: 0.7 },
    lists: {
      subject: 'signals through one transform, in lists of 50',
      unit: 'of bare undici POSTs',
      atLeast: 10,
    },
    both: {
      subject: 'write through a transform and a built-in rule, all that are answered',
      unit: 'of writes to an asset without a link',
      atLeast: 0.5,
    },
    rule: {
      subject: 'write through a built-in rule, all that are answered',
      unit: 'of writes to an asset without a link',
      atLeast: 0.8,
    },
    p99: {
      subject: 'p99 from a write to its status through both, at half that rate',
      unit: 'ms',
      atMost: 250,
    },
    hanging: {
      subject:
        'p99 from a write to its status, of 1,000 assets with 3 links of which a tenth hangs',
      unit: 'of the p99 if no module hangs',
      atMost: 1.2,
    },
  },
  async measure({ given, start, database, record }) {
    const module = start('peers/insight-module')
    const { port: modulePort } = await module.ask<OpenedModule>('open')
    const server = start('platform/pipelines', given.profileDir)
    const asked = { address: await database(), devices: given.connections, modulePort }
    const opened = await server.ask<OpenedPipelines>('open', asked)
    const called = await measureCalls({ server, posts: start('load/undici-posts') }, given, {
      port: modulePort,
      body: opened.body,
    })
    record('calls', compareReached(called, names.calls, { limit: names.bare }))
    record('lists', compareLists(called))
    const generator = start('load/scripted-generator')
    const at = (rate?: number) => measureWrites({ server, generator, opened, rate }, given)
    const full = await at()
    record('both', compareReached(full, ways.both, { limit: ways.unlinked }))
    record('rule', compareReached(full, ways.rule, { limit: ways.unlinked }))
    const half = await at(Math.max(1, Math.round(median(toRates(full.get(ways.both))) / 2)))
    const both = half.get(ways.both) ?? []
    record('p99', { figure: both.map(({ p99Ms }) => p99Ms), perSecond: toRates(both) })
    const hung = start('peers/insight-module')
    const beside = start('platform/hanging-module', given.profileDir)
    // A write of these makes three calls: at the whole rate both sides were past their capacity.
    const rate = Math.max(1, median(toRates(both)) / linksEach)
    const hanging = { server: beside, hung, generator, besides: start('load/scripted-generator') }
    const { port: hungPort } = await hung.ask<OpenedModule>('open')
    const fleet: OpenHanging = {
      ...{ address: await database(), devices: given.assets },
      ...{ modulePort, hungPort },
    }
    const parts = { ...hanging, opened: await beside.ask<OpenedHanging>('open', fleet), rate }
    record('hanging', await measureHanging(parts, given))
  },
})

const linksEach = 3

type Both = Given<'connections' | 'in-flight' | 'assets'>

async function measureCalls(
  { server, posts }: { readonly server: Child; readonly posts: Child },
  given: Both,
  target: Pick<Posts, 'port' | 'body'>,
): Promise<Sides> {
  const inFlight = given['in-flight']
  const sides = [
    askedSide(names.bare, posts, 'run', { ...target, inFlight }),
    askedSide(names.calls, server, 'calls', { entries: given.connections, values: 1 }),
    askedSide(names.lists, server, 'calls', { entries: given.connections, values: valuesOfList }),
  ]
  const measured = await measureAll(sides, given)
  report(measured, names.bare)
  return measured
}

/** The signals of its calls, of which each has so many. */
function compareLists(sides: Sides) {
  const perSecond = toRates(sides.get(names.lists)).map((rate) => rate * valuesOfList)
  const bare = toRates(sides.get(names.bare))
  return {
    ...{ figure: ratios(perSecond, bare), perSecond },
    limit: { name: names.bare, perSecond: bare },
  }
}

type Writes = {
  readonly server: Child
  readonly generator: Child
  readonly opened: OpenedPipelines
  readonly rate: number | undefined
}

async function measureWrites(writes: Writes, given: Both): Promise<Sides> {
  const { rate } = writes
  const measured = await measureAll(
    fleetKinds.map((kind) => writeSide(writes, kind)),
    given,
  )
  print(`\n${rate === undefined ? 'as fast as they are answered' : `${whole(rate)} offered`}`)
  report(measured, ways.unlinked)
  return measured
}

/** The first calls are slow, and are not measured. */
async function measureAll(sides: readonly Side[], { rounds, seconds }: Both): Promise<Sides> {
  for (const side of sides) await side.measure(1)
  return alternate(sides, rounds, seconds)
}

function writeSide({ server, generator, opened, rate }: Writes, kind: FleetKind): Side {
  const load = { ...opened.fleets[kind], port: opened.port, rate, from: 1 }
  return {
    name: ways[kind],
    async measure(seconds) {
      const before = await readCpuUs(server)
      const asked: NumberedLoad = { ...load, seconds }
      const result = await generator.ask<NumberedResult>('run', asked)
      const effects = await server.ask<PipelineEffects>('effects', { writes: result.writes })
      const cpuUs = ((await readCpuUs(server)) - before) / result.writes
      const missing = result.writes - effects.seenMs.length
      if (missing > 0) throw new Error(`${ways[kind]}: ${missing} effects never came`)
      return { cpuUs, ...fromAnswerToEffect(result, effects) }
    },
  }
}

type Hanging = {
  readonly server: Child
  readonly hung: Child
  readonly generator: Child
  /** Writes to the assets whose module hangs. */
  readonly besides: Child
  readonly opened: OpenedHanging
  readonly rate: number
}

/** The p99 of the assets whose module does not hang, beside the same while none does. */
async function measureHanging(hanging: Hanging, given: Both) {
  const calm = 'no module hangs'
  const sides = [hangingSide(calm, hanging, false), hangingSide('one module hangs', hanging, true)]
  print(`\n${given.assets} assets with 3 links, ${whole(hanging.rate)} offered`)
  const measured = await measureAll(sides, given)
  report(measured, calm)
  const [without, during] = sides.map(({ name }) => measured.get(name))
  const p99 = (all: readonly Measured[] = []) => all.map(({ p99Ms }) => p99Ms)
  return { figure: ratios(p99(during), p99(without)), perSecond: toRates(during) }
}

function hangingSide(name: string, hanging: Hanging, on: boolean): Side {
  const { server, hung, generator, besides, opened, rate } = hanging
  const { port, host, others, hanging: own } = opened
  const load = { port, host, from: 1 }
  const share = own.length / (own.length + others.length)
  return {
    name,
    async measure(seconds) {
      await hung.ask('hang', { on })
      const before = await readCpuUs(server)
      const loads: NumberedLoad[] = [
        { ...load, tokens: others, rate: rate * (1 - share), seconds },
        { ...load, tokens: own, rate: rate * share, seconds },
      ]
      const both = (question: string) => {
        return Promise.all([generator, besides].map((one, at) => one.ask(question, loads[at])))
      }
      await both('connectAll')
      const [result] = (await both('run')) as [NumberedResult, NumberedResult]
      const effects = await server.ask<PipelineEffects>('effects', { writes: result.writes })
      const cpuUs = ((await readCpuUs(server)) - before) / result.writes
      await hung.ask('hang', { on: false })
      await server.ask('drained', {})
      const missing = result.writes - effects.seenMs.length
      if (missing > 0) throw new Error(`${name}: ${missing} effects never came`)
      return { cpuUs, ...fromAnswerToEffect(result, effects) }
    },
  }
}

/** An effect may be there before its 204 has arrived: it has waited for nothing. */
function fromAnswerToEffect(
  { answeredMs, startedMs }: NumberedResult,
  { seenMs }: PipelineEffects,
) {
  const seen = new Map(seenMs)
  const waited = answeredMs
    .map(([number, ms]) => Math.max(0, (seen.get(number) ?? Number.NaN) - ms))
    .sort((a, b) => a - b)
  const lastMs = seenMs.reduce((last, [, ms]) => Math.max(last, ms), startedMs)
  return {
    perSecond: (seenMs.length * 1_000) / (lastMs - startedMs),
    p50Ms: waited[Math.floor(waited.length * 0.5)] ?? Number.NaN,
    p99Ms: waited[Math.floor(waited.length * 0.99)] ?? Number.NaN,
  }
}

function report(measured: Sides, limit: string): void {
  const rows = [...measured].map(([name, all]) => {
    return [name, ...measuredCells(all), formatShares(all, measured.get(limit))]
  })
  print(table([['', ...measuredHead, `of ${limit}`], ...rows]))
}

if (import.meta.main) await runBench(bench)
