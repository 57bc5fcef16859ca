import type { Load, LoadResult } from '../load/generator.ts'
import type { Called } from '../scripts/script-work.ts'
import { type Child, readCpuUs } from './child.ts'

/** A program that is compared with others, ready for its rounds. */
export type Side = {
  readonly name: string
  readonly measure: (seconds: number) => Promise<Measured>
}

export type Measured = {
  readonly perSecond: number
  /** CPU of the process under test, without that of the database. */
  readonly cpuUs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

let sides = 0

/** A side that is loaded over HTTP. */
export function httpSide(
  name: string,
  { server, generator, load }: { server: Child; generator: Child; load: Omit<Load, 'seconds'> },
  settle: () => Promise<unknown> = async () => {},
): Side {
  sides += 1
  const kept = `${name} ${sides}`
  // Once: those of a million devices take seconds on their way to the other process.
  let keeping: Promise<unknown> | undefined
  return {
    name,
    async measure(seconds) {
      keeping ??= generator.ask('keep', { ...load, name: kept })
      await keeping
      const run = (asked: Pick<Load, 'warmUpSeconds' | 'seconds'>) =>
        generator.ask<LoadResult>('run', { ...load, ...asked, requests: [], kept })
      // A run of its own: the CPU of its answers, which are not counted, is not counted either.
      const { warmUpSeconds } = load
      if (warmUpSeconds > 0) await run({ warmUpSeconds: 0, seconds: warmUpSeconds })
      const before = await readCpuUs(server)
      const result = await run({ warmUpSeconds: 0, seconds })
      const usedUs = (await readCpuUs(server)) - before
      await settle()
      if (result.failures > 0) throw new Error(`${name}: ${result.failures} answers were not 2xx`)
      return { ...result, cpuUs: usedUs / result.answers }
    },
  }
}

/**
 * Measures the sides in turn, round after round, each round beginning with another side, so that
 * what else the machine does meets all of them.
 * @returns of each side its rounds in order.
 */
export async function alternate(
  sides: readonly Side[],
  rounds: number,
  seconds: number,
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const measured = new Map<string, Measured[]>(sides.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < sides.length; turn += 1) {
      const side = sides[(round + turn) % sides.length]
      if (side !== undefined) measured.get(side.name)?.push(await side.measure(seconds))
    }
  }
  return measured
}

/** A side that works by itself once it is started. */
export function askedSide(name: string, child: Child, question: string, asked: object): Side {
  return {
    name,
    async measure(seconds) {
      const before = await readCpuUs(child)
      const called = await child.ask<Called>(question, { ...asked, seconds })
      return { ...called, cpuUs: ((await readCpuUs(child)) - before) / called.calls }
    },
  }
}
