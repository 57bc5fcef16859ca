import { omitUndefined } from '../../../server/src/foundation/kernel/index.ts'
import { median } from '../frame/figures.ts'

/**
 * The report of a bench besides its table for people: for each of its goals what was reached,
 * beside which peer, and what stands in its place if it could not be measured.
 */

export type EngineKind = 'embedded' | 'external'

/** The goal of a figure, which has no bound if it is only watched. */
export type Goal = {
  /** `device write, all consumers`: it names a row of the table together with the unit. */
  readonly subject: string
  /** The unit of the figure: `of bare node:http`, `per second`, `ms`. */
  readonly unit: string
  readonly atLeast?: Bound
  readonly atMost?: Bound
}

/** A number, or one for each engine. */
type Bound = number | Readonly<Record<EngineKind, number>>

export type Goals = Readonly<Record<string, Goal>>

/** The median of all rounds, with the least and the most of them. */
export type Spread = { readonly median: number; readonly least: number; readonly most: number }

export type Beside = { readonly name: string; readonly perSecond: Spread }

export type Row = {
  /** The key of the goal in its script. */
  readonly goal: string
  readonly subject: string
  readonly unit: string
  readonly atLeast?: number
  readonly atMost?: number
  readonly figure?: Spread
  /** The rate behind a figure that is no rate. */
  readonly perSecond?: Spread
  /** Another program that does the like. */
  readonly peer?: Beside
  /** The same work with nothing of ours around it. */
  readonly limit?: Beside
  /** Why there is no figure. */
  readonly missing?: string
}

/** When and how a bench ran. */
export type Run = {
  /** When it began, as ISO 8601. */
  readonly at: string
  readonly machine: string
  readonly engineTitle?: string
  readonly rounds: number
  /** The seconds of each side in each round. */
  readonly seconds: number
  /** The load average of a minute before and after it; unknown of what was measured by hand. */
  readonly load?: { readonly start: number; readonly end: number }
}

/** The results of a run of a bench on one engine. */
export type Report = {
  readonly bench: string
  readonly engine?: EngineKind
  readonly run: Run
  readonly rows: readonly Row[]
}

/** The figures of a goal as a bench measures them, a number a round. */
export type Reached = {
  readonly figure: readonly number[]
  readonly perSecond?: readonly number[]
  readonly peer?: { readonly name: string; readonly perSecond: readonly number[] }
  readonly limit?: { readonly name: string; readonly perSecond: readonly number[] }
}

/** More would only be noise. */
const digits = 4

export function toSpread(numbers: readonly number[]): Spread {
  const all = { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
  const rounded = ([name, number]: [string, number]) => [name, Number(number.toPrecision(digits))]
  return Object.fromEntries(Object.entries(all).map(rounded)) as Spread
}

/** A goal's row without figures: its words, and its bounds on an engine. */
export function toGoalRow(
  [key, goal]: readonly [string, Goal],
  engine: EngineKind | undefined,
): Row {
  const { subject, unit, atLeast, atMost } = goal
  const bounds = { atLeast: boundFor(atLeast, engine), atMost: boundFor(atMost, engine) }
  return { goal: key, subject, unit, ...omitUndefined(bounds) }
}

/** A goal's row, with its figures or with the sentence that says why there are none. */
export function toRow(
  goal: readonly [string, Goal],
  engine: EngineKind | undefined,
  reached: Reached | string,
): Row {
  const row = toGoalRow(goal, engine)
  if (typeof reached === 'string') return { ...row, missing: reached }
  if (!reached.figure.some(Number.isFinite)) return { ...row, missing: 'not measured' }
  const beside = (one: Reached['peer']) =>
    one && { name: one.name, perSecond: toSpread(one.perSecond) }
  const { figure, perSecond, peer, limit } = reached
  const rate = perSecond && toSpread(perSecond)
  const figures = { perSecond: rate, peer: beside(peer), limit: beside(limit) }
  return { ...row, figure: toSpread(figure), ...omitUndefined(figures) }
}

function boundFor(bound: Goal['atLeast'], engine: EngineKind | undefined): number | undefined {
  return typeof bound === 'object' ? bound[engine ?? 'embedded'] : bound
}

/** True if its median keeps the goal; undefined if there is no figure or no bound. */
export function isMet({ figure, atLeast, atMost }: Row): boolean | undefined {
  if (figure === undefined || (atLeast === undefined && atMost === undefined)) return undefined
  return figure.median >= (atLeast ?? -Infinity) && figure.median <= (atMost ?? Infinity)
}
