/**
 * A service of a solution: that it has it, under which alias, and with what. For an exposed
 * solution it is the spec's subscription.
 */
export type Configuration = {
  /** uuid */
  readonly id: string
  readonly businessId: string
  readonly solutionId: string
  /** `http`, or the id of an exposed solution or of a connector. */
  readonly service: string
  /** Whether the service is a connector: a solution may have had the same id. */
  readonly connector: boolean
  /** The name in its scripts (`Alias.operation{…}`) and handlers (`<alias>_<event>`). */
  readonly alias: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly triggers: Readonly<Record<string, unknown>>
  readonly hidden: Readonly<Record<string, unknown>>
  /** Microseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}
