import type { Platform } from '../../platform.ts'
import { type Option, UsageError, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'
import { wholeNumber } from '../values.ts'

/** The options of every command that works on a solution. */
export const solutionOptions = {
  solution: { meaning: 'The id of the solution.', required: true },
  business: businessOption,
} as const satisfies Record<string, Option>

export type SolutionWork = {
  readonly platform: Platform
  readonly scripting: Platform['scripting']
  /** The business and the solution, as scripting's functions take them. */
  readonly where: readonly [businessId: string, solutionId: string]
}

/** Opens the instance for a piece of work on one solution. @throws Fault not_found */
export function withSolution<Result>(
  { solution = '', business }: Readonly<Record<string, string | undefined>>,
  work: (given: SolutionWork) => Promise<Result>,
): Promise<Result> {
  return withPlatform(async (platform) => {
    const { id } = await businessOf(platform, business)
    const { scripting } = platform
    await scripting.solutions.get(id, solution)
    return work({ platform, scripting, where: [id, solution] })
  })
}

/** `--limit` of a list. @throws UsageError */
export function limitOf(text: string | undefined, max: number): number {
  const limit = wholeNumber('limit', text)
  if (limit >= 1 && limit <= max) return limit
  throw new UsageError(`--limit is a number from 1 to ${max}`)
}
