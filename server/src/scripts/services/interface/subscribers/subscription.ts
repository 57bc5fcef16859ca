import { type Fields, invalidField, isJsonObject } from '../../../../foundation/kernel/index.ts'
import type { Configuration, ScriptValue } from '../../../scripting/index.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import type { Quota, QuotaCaller } from '../quotas/quota.ts'
import { checkValue } from '../schema/check.ts'

/** A subscription as the exposing solution gets it. */
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

/** Returns the caller; all subscriptions of one solution are the same caller. */
export function toCaller(
  exposed: Pick<Exposed, 'solutionId' | 'businessId'>,
  { businessId, solutionId: callerId }: Pick<Configuration, 'businessId' | 'solutionId'>,
): QuotaCaller {
  const shares = businessId !== exposed.businessId
  return { exposedId: exposed.solutionId, businessId, callerId, shares }
}

/** `own`: the quota of its solution, which overrides the default. */
export function makeSubscription(
  exposed: Exposed,
  configuration: Configuration,
  own: Quota = {},
): Subscription {
  const quota = { ...exposed.definition.quota, ...own }
  const { id, solutionId, triggers, parameters, createdAt, updatedAt } = configuration
  return {
    id,
    solution_id: solutionId,
    quota,
    triggers,
    parameters,
    created_at: formatIso(createdAt),
    updated_at: formatIso(updatedAt),
  }
}

function formatIso(us: number): string {
  return new Date(us / 1_000).toISOString()
}

/** Checks a subscriber's parameters against the definition and adds its defaults. */
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
