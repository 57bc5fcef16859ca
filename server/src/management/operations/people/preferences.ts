import type { Accounts } from '../../../accounts/index.ts'
import { dataTypeOf } from '../../../assets/index.ts'
import {
  component,
  invalidField,
  Nullable,
  RecordOf,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import { shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const systems = ['metric', 'us'] as const

const preferences = component('Preferences', {
  units: RecordOf(Type.Enum([...systems]), {
    description:
      'By type of data of the catalogue, such as TEMPERATURE: `metric` or `us`, where values are ' +
      'shown in other units than those of their signals.',
  }),
})

const example = { answer: { units: { TEMPERATURE: 'us' as const } } }

const on = operations('accounts', 'account', '/api:1/preferences')

export const getPreferences = on.get(
  '',
  'Show what the caller prefers, in each browser.',
  () => ({
    ...shows('The preferences.', preferences),
    refuses: ['forbidden'],
    example,
  }),
  async ({ accounts }, { principal }) => shown(await accounts.preferredUnits(principal)),
)

export const changePreferences = on.patch(
  '',
  'Change what the caller prefers; what is left out stays.',
  () => ({
    description: 'Of users only: an API token and the operator have no preferences.',
    body: StrictObject({
      units: RecordOf(Nullable(Type.Enum([...systems])), {
        description:
          'By type of data of the catalogue (`docs/reference/data-types.md`) or an alias of it; ' +
          'null: the units of the signals.',
      }),
    }),
    ...shows('All preferences.', preferences),
    refuses: ['forbidden'],
    example: { request: { units: { TEMPERATURE: 'us' as const, LENGTH: null } }, ...example },
  }),
  async ({ accounts }, { principal, body }) => {
    const change = new Map(
      Object.entries(body.units).map(([name, units]) => [typeNamed(name), units] as const),
    )
    return shown(await accounts.preferUnits(principal, change))
  },
)

function shown(preferred: Awaited<ReturnType<Accounts['preferredUnits']>>) {
  return { units: Object.fromEntries(preferred.map(({ dataType, units }) => [dataType, units])) }
}

/** An alias is the type that it stands for. */
function typeNamed(name: string): string {
  const type = dataTypeOf(name)
  if (type === undefined) throw invalidField(`units.${name}`, 'is no type of data of the catalogue')
  return type.id
}
