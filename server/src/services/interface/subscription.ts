import { type Fields, invalidField, isJsonObject } from '../../kernel/index.ts'
import type { Configuration, ScriptValue } from '../../scripting/index.ts'
import type { Exposed } from './exposed.ts'
import type { Caller, Quota } from './quota.ts'
import { checkValue } from './schema/check.ts'

/** What a solution that has an exposed one as a service looks like to the exposing one. */
export type Subscription = {
  readonly id: string
  readonly solution_id: string
  readonly quota: Quota
  readonly triggers: Fields
  readonly parameters: Fields
  /** ISO 8601. */
  readonly created_at: string
  readonly updated_at: string
}

/** A second subscription of the same solution is the same caller. */
export function callerOf(
  exposed: Pick<Exposed, 'solutionId' | 'businessId'>,
  { businessId, solutionId: callerId }: Pick<Configuration, 'businessId' | 'solutionId'>,
): Caller {
  const shares = businessId !== exposed.businessId
  return { exposedId: exposed.solutionId, businessId, callerId, shares }
}

/** `own`: the quota of its solution, before which the default stands. */
export function subscriptionOf(
  exposed: Exposed,
  configuration: Configuration,
  own: Quota = {},
): Subscription {
  const quota = { ...exposed.definition.quota, ...own }
  const { id, solutionId, triggers, parameters, createdAt, updatedAt } = configuration
  return {
    ...{ id, solution_id: solutionId, quota, triggers, parameters },
    ...{ created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) },
  }
}

function isoOf(us: number): string {
  return new Date(us / 1_000).toISOString()
}

/** Parameters of a subscriber with the types and the defaults that the definition gives them. */
export function checkParameters(exposed: Exposed, value: unknown): Fields {
  if (value === undefined) return {}
  if (!isJsonObject(value)) throw invalidField('parameters', 'must be an object')
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const schema = exposed.parameters.get(name)
      return [name, schema ? checkValue(schema, `parameters.${name}`, one as ScriptValue) : one]
    }),
  )
}
