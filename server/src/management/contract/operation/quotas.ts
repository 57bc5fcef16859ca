import { Nullable, StrictObject, type TSchema, Type } from '../../../kernel/index.ts'
import { component, json, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const meanings = {
  devices: 'Identities of all connectors.',
  messages: 'Messages of devices a second; used: the mean of the last whole minute.',
  storage: 'Bytes of the contents of connectors and solutions.',
  script_cpu: 'Milliseconds of CPU of scripts a minute; used: in the last whole minute.',
  tokens: 'API tokens.',
  users: 'Users.',
} as const

function byKind<Schema extends TSchema>(schemaOf: (meaning: string) => Schema) {
  return {
    devices: schemaOf(meanings.devices),
    messages: schemaOf(meanings.messages),
    storage: schemaOf(meanings.storage),
    script_cpu: schemaOf(meanings.script_cpu),
    tokens: schemaOf(meanings.tokens),
    users: schemaOf(meanings.users),
  }
}

const used = (description: string) =>
  StrictObject(
    {
      used: Type.Number(),
      most: Nullable(Type.Integer(), { description: 'The quota; null: there is none.' }),
    },
    { description },
  )

const useSchema = component('BusinessUsage', byKind(used), {
  description: 'What a business has and uses, with its quotas.',
})

const quotasSchema = component(
  'BusinessQuotas',
  byKind((description) => Nullable(Type.Integer(), { description })),
  { description: 'The quotas of a business; null: there is none.' },
)

export const getUsage = contract(
  {
    id: 'getUsage',
    method: 'GET',
    path: '/api:1/usage',
    permission: 'account',
    tag: 'instance',
    summary: 'Show what the business has and uses, with its quotas.',
  },
  () => ({ answers: { 200: json('The use.', useSchema) } }),
)

export const listUsage = contract(
  {
    id: 'listUsage',
    method: 'GET',
    path: '/api:1/instance/usage',
    permission: 'operator',
    tag: 'instance',
    summary: 'List what businesses have and use, with their quotas, the oldest first.',
  },
  () => ({
    answers: {
      200: json(
        'The businesses.',
        StrictObject({
          businesses: Type.Array(
            StrictObject({ id: Type.String(), name: Type.String(), usage: useSchema }),
          ),
        }),
      ),
    },
  }),
)

const most = (description: string) =>
  Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), { description }),
  )

export const setQuotas = contract(
  {
    id: 'setQuotas',
    method: 'PATCH',
    path: '/api:1/businesses/:business/quotas',
    permission: 'operator',
    tag: 'instance',
    summary: 'Set the quotas of one business.',
    description:
      'What is left out stays; null takes a quota away. It holds at once in this process, ' +
      'elsewhere after `businessQuotaCacheMs`.',
  },
  () => ({
    params: StrictObject({
      business: PathText('The id or the name of a business, percent-encoded.'),
    }),
    body: StrictObject(byKind(most)),
    answers: { 200: json('The quotas.', quotasSchema) },
    example: { request: { devices: 1000, messages: 50 } },
  }),
)
