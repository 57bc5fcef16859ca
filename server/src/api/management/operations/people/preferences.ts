import { invalidField } from '../../../../foundation/kernel/index.ts'
import { findDataType } from '../../../../insight/assets/index.ts'
import { preferencesChangeSchema, preferencesSchema } from '../../../../people/accounts/index.ts'
import { shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const example = { answer: { units: { TEMPERATURE: 'us' as const } } }

const on = operations('accounts', 'account', '/api:1/preferences')

export const getPreferences = on.get(
  '',
  'Show what the caller prefers, in each browser.',
  () => ({
    ...shows('The preferences.', preferencesSchema),
    refuses: ['forbidden'],
    example,
  }),
  ({ accounts }, { principal }) => accounts.preferences(principal),
)

export const changePreferences = on.patch(
  '',
  'Change what the caller prefers; what is left out stays.',
  () => ({
    description: 'Of users only: an API token and the operator have no preferences.',
    body: preferencesChangeSchema,
    ...shows('All preferences.', preferencesSchema),
    refuses: ['forbidden'],
    example: { request: { units: { TEMPERATURE: 'us' as const, LENGTH: null } }, ...example },
  }),
  ({ accounts }, { principal, body }) => {
    const change = new Map(
      Object.entries(body.units).map(([name, units]) => [typeNamed(name), units] as const),
    )
    return accounts.preferUnits(principal, change)
  },
)

/** An alias is the type that it stands for. */
function typeNamed(name: string): string {
  const type = findDataType(name)
  if (type === undefined) throw invalidField(`units.${name}`, 'is not a data type of the catalogue')
  return type.id
}
