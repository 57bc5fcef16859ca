import type { Goals, Reached } from '../report/report.ts'
import type { Child } from './child.ts'
import type { Address } from './engines.ts'

/** A measurement, which a script of `bench/` makes. Its goals can be read without running it. */
export type Bench<Goal extends string = string, Option extends string = string> = {
  /** The name of its file without the ending, behind that of its folder. */
  readonly name: string
  title(given: Given<Option>): string
  /** The amount of work unless its arguments change it. */
  readonly options: Options<Option>
  /** Each goal stands here and nowhere else. */
  readonly goals: Goals & Readonly<Record<Goal, unknown>>
  /** True if it needs no database: then it runs once, not on each engine. */
  readonly alone?: boolean
  measure(world: World<Goal, Option>): Promise<void>
}

export type Options<Option extends string> = Readonly<Record<Option, number>> & {
  readonly rounds?: number
  readonly seconds?: number
}

/** The options of the command line, with the defaults of the bench. */
export type Given<Option extends string = string> = Readonly<Record<Option, number>> & {
  readonly rounds: number
  /** The seconds of each side in each round. */
  readonly seconds: number
  /** The folder for the CPU profile of each process under test; none without it. */
  readonly profileDir: string | undefined
  /** Only this engine; all that answer without it. */
  readonly engine: string | undefined
}

/** Starts `support/<name>.ts`; it is stopped when the engine's part of the bench is over. */
export type Start = (name: string, profileDir?: string) => Child

export type World<Goal extends string, Option extends string> = {
  readonly given: Given<Option>
  readonly start: Start
  /** Makes a new empty database. */
  readonly database: () => Promise<Address>
  /** Sets what was reached of a goal, or the sentence that says why that is not known. */
  readonly record: (goal: Goal, reached: Reached | string) => void
}

/** Gives a bench its types; the file that exports it runs it if it is the program. */
export function defineBench<Goal extends string, Option extends string>(
  bench: Bench<Goal, Option>,
): Bench<Goal, Option> {
  return bench
}
