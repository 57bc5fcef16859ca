import { Nullable, RecordOf, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json } from '../common.ts'
import { contract } from '../contract.ts'

const path = '/api:1/preferences'
const systems = ['metric', 'us'] as const

const preferences = component('Preferences', {
  units: RecordOf(Type.Enum([...systems]), {
    description:
      'By type of data of the catalogue, such as TEMPERATURE: `metric` or `us`, where values are ' +
      'shown in other units than those of their signals.',
  }),
})

const example = { answer: { units: { TEMPERATURE: 'us' as const } } }

export const getPreferences = contract(
  {
    id: 'getPreferences',
    method: 'GET',
    path,
    permission: 'account',
    tag: 'accounts',
    summary: 'Show what the caller prefers, in each browser.',
  },
  () => ({
    answers: { 200: json('The preferences.', preferences) },
    refuses: ['forbidden'],
    example,
  }),
)

export const changePreferences = contract(
  {
    id: 'changePreferences',
    method: 'PATCH',
    path,
    permission: 'account',
    tag: 'accounts',
    summary: 'Change what the caller prefers; what is left out stays.',
    description: 'Of users only: an API token and the operator have no preferences.',
  },
  () => ({
    body: StrictObject({
      units: RecordOf(Nullable(Type.Enum([...systems])), {
        description:
          'By type of data of the catalogue (`docs/reference/data-types.md`) or an alias of it; ' +
          'null: the units of the signals.',
      }),
    }),
    answers: { 200: json('All preferences.', preferences) },
    refuses: ['forbidden'],
    example: { request: { units: { TEMPERATURE: 'us' as const, LENGTH: null } }, ...example },
  }),
)
