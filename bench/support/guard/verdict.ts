import { median } from '../frame/figures.ts'

/** The costs of a request, in turns of the calibration loop: no unit of any machine. */
export type Costs = Readonly<Record<string, number>>

/** The last landed costs by the processor that they were measured on. */
export type Landed = Readonly<Record<string, Costs>>

/** A window of requests, with the calibration before and after it. */
export type Window = { readonly cpuUs: number; readonly beforeUs: number; readonly afterUs: number }

/** The share by which a cost may rise over the landed one. */
export const riseMax = 0.25

/** The middle of the windows, each compared with the calibration around it. */
export function medianCost(windows: readonly Window[]): number {
  return median(windows.map(({ cpuUs, beforeUs, afterUs }) => cpuUs / ((beforeUs + afterUs) / 2)))
}

export function computeRise(cost: number, landed: number): number {
  return cost / landed - 1
}

/**
 * Compares what each request costs with the landed figure. A request that costs too much is
 * measured again, twice at most: it fails if it does each time.
 * @returns the lowest cost of each, and those that failed.
 */
export async function compare(
  names: readonly string[],
  landed: Costs,
  measure: (name: readonly string[]) => Promise<Costs>,
): Promise<{ readonly costs: Costs; readonly failed: readonly string[] }> {
  const costs: Record<string, number> = {}
  let left = names
  for (let time = 0; time <= repeatsMax && left.length > 0; time += 1) {
    for (const [name, cost] of Object.entries(await measure(left))) {
      costs[name] = Math.min(cost, costs[name] ?? Number.POSITIVE_INFINITY)
    }
    left = names.filter((name) => computeRise(costs[name] ?? 0, landed[name] ?? Infinity) > riseMax)
  }
  return { costs, failed: left }
}

const repeatsMax = 2
