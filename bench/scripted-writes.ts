import { defineBench, type Given } from './support/frame/bench.ts'
import {
  compareReached,
  measuredCells,
  measuredHead,
  type Sides,
  toRates,
} from './support/frame/cells.ts'
import { type Child, readCpuUs } from './support/frame/child.ts'
import { median, print, ratios, spread, table, twoPlaces, whole } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { alternate, type Side } from './support/frame/side.ts'
import type { NumberedLoad, NumberedResult } from './support/load/scripted-generator.ts'
import type { Effects, Fleets, OpenedScripted } from './support/scripts/scripted-platform.ts'

/**
 * Device writes over HTTP, each handled by a script that calls another solution or keeps a value.
 * A write counts when its effect is there; waits are from its 204 to its effect. Beside them the
 * same writes to a connector without a handler, whose waits are those for the 204 alone.
 */
/** Writes a second that devices send beside all that are answered, and half of them. */
const rates = [5_000, 2_000]
const ways = { unhandled: 'no script', interface: 'interface call', keystore: 'Keystore.set' }

export const bench = defineBench({
  name: 'scripted-writes',
  title: ({ connections, rounds, seconds }) =>
    `Scripted writes, ${connections} connections, ${rounds} rounds of ${seconds} s a side`,
  options: { connections: 256 },
  goals: {
    interface: {
      subject: 'write with an interface call, all that are answered',
      unit: 'of writes without a script',
      atLeast: 0.6,
    },
    keystore: {
      subject: 'write with Keystore.set, all that are answered',
      unit: 'of writes without a script',
      atLeast: 0.6,
    },
    interfaceP99: {
      subject: 'p99 to the effect of an interface call, at half that rate',
      unit: 'ms',
      atMost: 250,
    },
    keystoreP99: {
      subject: 'p99 to the effect of Keystore.set, at half that rate',
      unit: 'ms',
      atMost: 250,
    },
  },
  async measure({ given, start, database, record }) {
    const server = start('scripts/scripted-platform', given.profileDir)
    const generator = start('load/scripted-generator')
    const asked = { address: await database(), devices: given.connections }
    const opened = await server.ask<OpenedScripted>('open', asked)
    const at = (rate: number | undefined) => measureAt({ server, generator, opened }, rate, given)
    const full = await at(undefined)
    const limit = ways.unhandled
    record('interface', compareReached(full, ways.interface, { limit }))
    record('keystore', compareReached(full, ways.keystore, { limit }))
    const top = [ways.interface, ways.keystore].map((name) => median(toRates(full.get(name))))
    const half = await at(Math.max(1, Math.round(Math.min(...top) / 2)))
    const p99 = (name: string) => (half.get(name) ?? []).map(({ p99Ms }) => p99Ms)
    record('interfaceP99', {
      figure: p99(ways.interface),
      perSecond: toRates(half.get(ways.interface)),
    })
    record('keystoreP99', {
      figure: p99(ways.keystore),
      perSecond: toRates(half.get(ways.keystore)),
    })
    for (const rate of rates) await at(rate)
  },
})

async function measureAt(
  parts: Omit<Parts, 'behind'>,
  rate: number | undefined,
  { rounds, seconds }: Pick<Given, 'rounds' | 'seconds'>,
): Promise<Sides> {
  const behind = new Map<string, number[]>()
  const sides = (['unhandled', 'interface', 'keystore'] as const).map((way) =>
    writeSide({ ...parts, behind }, way, rate),
  )
  // The first calls are slow, and are not measured.
  for (const side of sides) await side.measure(1)
  behind.clear()
  const measured = await alternate(sides, rounds, seconds)
  print(`\n${rate === undefined ? 'as fast as they are answered' : `${whole(rate)} offered`}`)
  report(measured, behind)
  return measured
}

type Parts = {
  readonly server: Child
  readonly generator: Child
  readonly opened: OpenedScripted
  /** By side and round, how many effects were still to come when the load ended. */
  readonly behind: Map<string, number[]>
}

function writeSide(parts: Parts, way: keyof Fleets, rate: number | undefined): Side {
  const { server, generator, opened, behind } = parts
  const { host, tokens } = opened.fleets[way]
  const load = { port: opened.port, host, tokens, rate, from: 1 }
  return {
    name: ways[way],
    async measure(lasting) {
      const before = await readCpuUs(server)
      const asked: NumberedLoad = { ...load, seconds: lasting }
      const result = await generator.ask<NumberedResult>('run', asked)
      const writes = way === 'unhandled' ? 0 : result.writes
      const effects = await server.ask<Effects>('effects', { writes })
      const cpuUs = ((await readCpuUs(server)) - before) / result.writes
      if (way === 'unhandled') return { ...result, cpuUs }
      const missing = result.writes - effects.seenMs.length
      if (missing > 0) throw new Error(`${ways[way]}: ${missing} effects never came`)
      behind.set(ways[way], [...(behind.get(ways[way]) ?? []), effects.pending])
      return { cpuUs, ...fromAnswerToEffect(result, effects) }
    },
  }
}

/** An effect may be there before its 204 has arrived: it has waited for nothing. */
function fromAnswerToEffect({ answeredMs, startedMs }: NumberedResult, { seenMs }: Effects) {
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

function report(measured: Sides, behind: ReadonlyMap<string, readonly number[]>): void {
  const peer = toRates(measured.get(ways.unhandled))
  const rows = [...measured].map(([name, all]) => {
    const left = behind.get(name)
    return [
      ...[name, ...measuredCells(all), spread(ratios(toRates(all), peer), twoPlaces)],
      left === undefined ? '' : spread(left, whole),
    ]
  })
  print(table([['', ...measuredHead, 'of no script', 'still to come'], ...rows]))
}

if (import.meta.main) await runBench(bench)
