import {
  component,
  makeRecord,
  Nullable,
  type StaticResult,
  StrictObject,
  type TSchema,
  Type,
} from '../../../foundation/kernel/index.ts'

/** The kinds of quotas of a business, with their units. */
const meanings = {
  devices: 'Identities of all connectors.',
  messages: 'Messages of devices a second; used: the mean of the last whole minute.',
  storage: 'Bytes of the contents of connectors and solutions.',
  script_cpu: 'Milliseconds of CPU of scripts a minute; used: in the last whole minute.',
  tokens: 'API tokens.',
  users: 'Users.',
} as const
export type QuotaKind = keyof typeof meanings
export const quotaKinds = Object.keys(meanings) as QuotaKind[]

const byKind = <Schema extends TSchema>(schemaOf: (meaning: string) => Schema) =>
  makeRecord(quotaKinds, (kind) => schemaOf(meanings[kind]))

const use = (description: string) =>
  StrictObject(
    {
      used: Type.Number(),
      most: Nullable(Type.Integer(), { description: 'The quota; null: there is none.' }),
    },
    { description },
  )

export const businessUsageSchema = component('BusinessUsage', byKind(use), {
  description: 'What a business has and uses, with its quotas.',
})
export type BusinessUsage = StaticResult<typeof businessUsageSchema>

export const businessQuotasSchema = component(
  'BusinessQuotas',
  byKind((description) => Nullable(Type.Integer(), { description })),
  { description: 'The quotas of a business; null: there is none.' },
)
export type BusinessQuotas = StaticResult<typeof businessQuotasSchema>

const most = (description: string) =>
  Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { description }),
  )

/** Kinds that are left out stay; null takes a quota away. */
export const quotaChangeSchema = StrictObject(byKind(most))
export type QuotaChange = StaticResult<typeof quotaChangeSchema>
