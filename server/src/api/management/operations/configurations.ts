import { invalidField, StrictObject, Type } from '../../../foundation/kernel/index.ts'
import {
  configurationChangeSchema,
  configurationSchema,
  newConfigurationSchema,
  pushQuerySchema,
  serviceSettingsSchema,
  splitBody,
} from '../../../scripts/scripting/index.ts'
import { solutionArguments } from '../calls.ts'
import { does, makes, PathText, shows } from '../contract/common.ts'
import { Components } from '../openapi/schema.ts'
import { type Call, operations } from '../operation.ts'
import type { ApiServices } from '../services.ts'

const on = operations('solutions', 'Setup', '/api:1/solution/:solution/serviceconfig', {
  everyProcess: true,
  params: { id: PathText('The id of a configuration.') },
})

export const listConfigurations = on.get(
  '',
  'List the services of a solution, in the order in which they were added.',
  () =>
    shows(
      'The services.',
      StrictObject({ items: Type.Array(configurationSchema), total: Type.Integer() }),
    ),
  async ({ scripting: { configurations } }, call) => {
    const items = await configurations.list(...solutionArguments(call))
    return { items, total: items.length }
  },
)

export const addConfiguration = on.post(
  '',
  'Add a service to a solution.',
  () => ({
    description: 'Default scripts of its events become handlers, unless the solution has them.',
    body: newConfigurationSchema,
    ...makes('The service.', configurationSchema),
    refuses: ['already_exists', 'script_refused', 'forbidden'],
    example: { request: { service: 'pumps', parameters: { forward_events: true } } },
  }),
  ({ scripting: { configurations } }, call) =>
    configurations.add(...solutionArguments(call), splitBody(call.body)),
)

export const getConfiguration = on.get(
  '/:id',
  'Show a service of a solution.',
  () => shows('The service.', configurationSchema),
  ({ scripting: { configurations } }, call) =>
    configurations.get(...solutionArguments(call), call.params.id),
)

export const getServiceSettings = on.get(
  '/:id/settings',
  'Show the settings of a service of a solution with their schema, for forms.',
  () => ({
    description:
      'The schema is that of `parameters` in changes: secrets are `writeOnly`, what is shown ' +
      'only is `readOnly`. A setting that is left out of a change stays; one that may be null is ' +
      'removed by it. A refusal begins with the place of the setting.',
    ...shows('The settings.', serviceSettingsSchema),
    example: {
      answer: {
        schema: { type: 'object', properties: { forward_events: { type: 'boolean' } } },
        values: { forward_events: true },
        secrets_set: [],
        has_triggers: false,
      },
    },
  }),
  async ({ scripting: { configurations } }, call) => {
    const one = await configurations.get(...solutionArguments(call), call.params.id)
    const contract = await configurations.getSettings(one)
    return {
      schema: contract === undefined ? null : new Components().describe(contract.schema()),
      values: one.parameters,
      secretsSet: [...(contract?.listSecrets(one) ?? [])],
      hasTriggers: contract?.hasTriggers ?? true,
    }
  },
)

const changeDetails = () =>
  ({
    description: 'PUT and PATCH are the same: the service decides what becomes of fields left out.',
    query: StrictObject({ allowBreaking: pushQuerySchema.properties.allowBreaking }),
    body: configurationChangeSchema,
    ...shows('The service.', configurationSchema),
    refuses: ['already_exists', 'script_refused', 'breaking_change'],
    example: { request: { parameters: { forward_events: true } } },
  }) as const

type Change = Call<ReturnType<typeof changeDetails>, '/:solution/:id'>

async function changeConfiguration({ scripting: { configurations } }: ApiServices, call: Change) {
  const { service, ...wanted } = splitBody(call.body)
  const where = [...solutionArguments(call), call.params.id] as const
  const has = service && (await configurations.get(...where)).service
  if (has !== service) {
    throw invalidField('service', `of a configuration cannot change; it is ${has}`)
  }
  const allowBreaking = call.query.allowBreaking === true
  return configurations.update(...where, { ...wanted, allowBreaking })
}

const summary = 'Change the settings of a service.'

export const replaceConfiguration = on.put('/:id', summary, changeDetails, changeConfiguration)

export const updateConfiguration = on.patch('/:id', summary, changeDetails, changeConfiguration)

export const removeConfiguration = on.remove(
  '/:id',
  'Remove a service from a solution; its handlers stay.',
  () => does('It is removed.'),
  ({ scripting: { configurations } }, call) =>
    configurations.remove(...solutionArguments(call), call.params.id),
)
