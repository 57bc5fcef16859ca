import type { Business } from '../accounts/index.ts'
import type { Platform } from '../platform.ts'
import { type Option, UsageError, withPlatform } from './command.ts'

/** The option of every command that works inside a business. */
export const businessOption: Option = {
  meaning: 'The name or id of the business. Default: the only one, or that of the connector.',
}

/** The option of every command that works on a connector. */
export const connectorOption: Option = {
  meaning: 'The id of the connector, the first label of its host.',
  required: true,
}

/** The business that a command means. @throws UsageError where that is not clear. */
export async function businessOf(platform: Platform, name: string | undefined): Promise<Business> {
  if (name !== undefined) {
    const found = await platform.accounts.findBusiness(name)
    if (found === undefined) throw new UsageError(`there is no business "${name}"`)
    return found
  }
  const [only, ...others] = await platform.accounts.listBusinesses()
  if (only === undefined) throw new UsageError('there is no business yet: millrace business create')
  if (others.length > 0) throw new UsageError('--business is missing: there are several')
  return only
}

/**
 * The business of a command that names a connector: left out, it follows from the connector's id,
 * which is a label of a host and so one of its kind. @throws UsageError where that is not clear.
 */
export async function ownerOf(
  platform: Platform,
  name: string | undefined,
  connectorId: string,
): Promise<Business> {
  if (name !== undefined) return businessOf(platform, name)
  const connector = await platform.provisioning.connectors.find(connectorId)
  return businessOf(platform, connector?.businessId)
}

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
