import { type Child, startChild } from './child.ts'
import { type BenchEngine, eachEngine } from './engines.ts'
import { machine, onePlace, print, ratios, spread, twoPlaces, whole } from './figures.ts'
import type { Measured } from './side.ts'

/** Starts `support/<name>.ts`; it is stopped when the engine's part of the bench is over. */
export type Start = (name: string, profileDir?: string) => Child

/** Prints what is measured and on what, and measures on each engine; leaves nothing behind. */
export async function runBench(
  title: string,
  only: string | undefined,
  work: (engine: BenchEngine, start: Start) => Promise<void>,
): Promise<void> {
  print(title)
  print(machine())
  await eachEngine(only, (engine) => onEngine(engine, work), print)
}

async function onEngine(
  engine: BenchEngine,
  work: (engine: BenchEngine, start: Start) => Promise<void>,
): Promise<void> {
  print(`\n${engine.title}`)
  const children: Child[] = []
  const start: Start = (name, profileDir) => {
    const child = startChild(name, profileDir)
    children.push(child)
    return child
  }
  try {
    await work(engine, start)
  } finally {
    for (const child of children.reverse()) await child.stop()
  }
}

export const measuredHead = ['per second', 'Node CPU us', 'p50 ms', 'p99 ms'] as const

/** The cells under `measuredHead`; empty where a side does not wait for answers. */
export function measuredCells(all: readonly Measured[]): string[] {
  const cell = (numbers: readonly number[], format: (one: number) => string) =>
    numbers.some(Number.isNaN) ? '' : spread(numbers, format)
  return [
    cell(ratesOf(all), whole),
    cell(
      all.map((one) => one.cpuUs),
      onePlace,
    ),
    cell(
      all.map((one) => one.p50Ms),
      onePlace,
    ),
    cell(
      all.map((one) => one.p99Ms),
      onePlace,
    ),
  ]
}

export function ratesOf(all: readonly Measured[] = []): number[] {
  return all.map((one) => one.perSecond)
}

/** The rates as shares of a peer's, round by round. */
export function sharesOf(all: readonly Measured[], peer: readonly Measured[] | undefined): string {
  return spread(ratios(ratesOf(all), ratesOf(peer)), twoPlaces)
}
