import { readArguments } from './support/frame/arguments.ts'
import { type Child, cpuUsOf } from './support/frame/child.ts'
import { print, ratios, spread, table, twoPlaces, whole } from './support/frame/figures.ts'
import { measuredCells, measuredHead, ratesOf, runBench } from './support/frame/run.ts'
import { alternate, type Measured, type Side } from './support/frame/side.ts'
import type { NumberedLoad, NumberedResult } from './support/load/scripted-generator.ts'
import type { Effects, Fleets, OpenedScripted } from './support/platform/scripted.ts'

/**
 * Device writes over HTTP, each handled by a script that calls another solution or keeps a value.
 * A write counts when its effect is there; waits are from its 204 to its effect. Beside them the
 * same writes to a connector without a handler, whose waits are those for the 204 alone. The
 * goal is 5,000 a second with 99 of 100 effects within 250 ms.
 */
const goal = { perSecond: 5_000, p99Ms: 250 }
const {
  rounds,
  seconds,
  connections,
  engine: only,
  profileDir,
} = readArguments({ connections: 256 })

/** Writes a second that devices send; undefined: as many as are answered. */
const rates = [undefined, goal.perSecond, 2_000, 1_000]
const ways = { unhandled: 'no script', interface: 'interface call', keystore: 'Keystore.set' }

const title = `Scripted writes, ${connections} connections, ${rounds} rounds of ${seconds} s a side`
await runBench(title, only, async (engine, start) => {
  const server = start('platform/scripted', profileDir)
  const generator = start('load/scripted-generator')
  const address = await engine.database()
  const opened = await server.ask<OpenedScripted>('open', { address, devices: connections })
  for (const rate of rates) {
    const behind = new Map<string, number[]>()
    const sides = (['unhandled', 'interface', 'keystore'] as const).map((way) =>
      writeSide({ server, generator, opened, behind }, way, rate),
    )
    // What is slow at first is not what is measured.
    for (const side of sides) await side.measure(1)
    behind.clear()
    const measured = await alternate(sides, rounds, seconds)
    print(`\n${rate === undefined ? 'as fast as they are answered' : `${whole(rate)} offered`}`)
    report(measured, behind)
  }
  print(`goal: ${whole(goal.perSecond)} a second with p99 under ${goal.p99Ms} ms`)
})

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
      const before = await cpuUsOf(server)
      const asked: NumberedLoad = { ...load, seconds: lasting }
      const result = await generator.ask<NumberedResult>('run', asked)
      const writes = way === 'unhandled' ? 0 : result.writes
      const effects = await server.ask<Effects>('effects', { writes })
      const cpuUs = ((await cpuUsOf(server)) - before) / result.writes
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

function report(
  measured: ReadonlyMap<string, readonly Measured[]>,
  behind: ReadonlyMap<string, readonly number[]>,
): void {
  const peer = ratesOf(measured.get(ways.unhandled))
  const rows = [...measured].map(([name, all]) => {
    const left = behind.get(name)
    return [
      ...[name, ...measuredCells(all), spread(ratios(ratesOf(all), peer), twoPlaces)],
      left === undefined ? '' : spread(left, whole),
    ]
  })
  print(table([['', ...measuredHead, 'of no script', 'still to come'], ...rows]))
}
