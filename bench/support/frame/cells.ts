import { notInstalled } from '../peers/find.ts'
import type { Reached } from '../report/report.ts'
import { onePlace, ratios, spread, twoPlaces, whole } from './figures.ts'
import type { Measured } from './side.ts'

/** The sides of a bench by name, each with its rounds in order. */
export type Sides = ReadonlyMap<string, readonly Measured[]>

export const measuredHead = ['per second', 'Node CPU us', 'p50 ms', 'p99 ms'] as const

/** The cells under `measuredHead`; empty if a side does not wait for answers. */
export function measuredCells(all: readonly Measured[]): string[] {
  const cell = (numbers: readonly number[], format: (one: number) => string) =>
    numbers.some(Number.isNaN) ? '' : spread(numbers, format)
  return [
    cell(toRates(all), whole),
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

export function toRates(all: readonly Measured[] = []): number[] {
  return all.map((one) => one.perSecond)
}

/** The rates as shares of a peer's, round by round; empty if the peer did not run. */
export function formatShares(
  all: readonly Measured[],
  peer: readonly Measured[] | undefined,
): string {
  return peer === undefined ? '' : spread(ratios(toRates(all), toRates(peer)), twoPlaces)
}

/**
 * The share that a side reached of the rate of a peer or of the limit; a sentence if that did not
 * run.
 */
export function compareReached(
  sides: Sides,
  ours: string,
  beside: { readonly peer: string } | { readonly limit: string },
): Reached | string {
  const perSecond = toRates(sides.get(ours))
  const [kind, name] = 'peer' in beside ? ['peer', beside.peer] : ['limit', beside.limit]
  const others = toRates(sides.get(name))
  if (others.length === 0) return notInstalled(name)
  return {
    ...{ figure: ratios(perSecond, others), perSecond },
    [kind]: { name, perSecond: others },
  }
}
