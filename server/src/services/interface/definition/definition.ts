import type { Quota } from '../quotas/quota.ts'

/** The definition of an exposed solution: the spec's interface service configuration. */
export type Definition = {
  readonly default_script_key: string
  readonly name: string
  readonly description: string
  readonly contact: { readonly name?: string; readonly email?: string }
  readonly tags: readonly string[]
  /** Businesses that may use it, beside its own. */
  readonly whitelist: readonly string[]
  readonly parameters: readonly ParameterDefinition[]
  readonly operations: readonly OperationDefinition[]
  readonly events: readonly EventDefinition[]
  readonly mode?: Mode
  /** The default for callers without a quota of their own. */
  readonly quota?: Quota
}

export const modes = ['async', 'sync'] as const
export type Mode = (typeof modes)[number]

export const parameterTypes = ['string', 'boolean', 'number', 'integer', 'array', 'object'] as const

/** A payload schema as it was written. */
type Payload = Readonly<Record<string, unknown>>

export type ParameterDefinition = {
  readonly name: string
  readonly type: (typeof parameterTypes)[number]
  readonly items?: Payload
  readonly properties?: Payload
  readonly description?: string
}

export type OperationDefinition = {
  readonly name: string
  readonly script?: string
  readonly response?: Payload
  readonly parameters?: Payload
  readonly description?: string
}

export type EventDefinition = {
  readonly name: string
  readonly response?: Payload
  readonly parameters?: Payload
  readonly description?: string
  readonly default_script?: string
}
