import {
  AnyValue,
  component,
  invalidField,
  Microseconds,
  Nullable,
  RecordOf,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import { aliasSchema, serviceSchema } from '../../scripting/index.ts'
import { solutionOf } from '../calls.ts'
import { does, makes, PathText, shows } from '../contract/common.ts'
import { Components } from '../openapi/schema.ts'
import { type Call, operations } from '../operation.ts'
import type { ApiServices } from '../services.ts'
import { allowBreaking } from './solutions.ts'

const settings = (description: string) => RecordOf(AnyValue<unknown>(), { description })

const configurationSchema = component(
  'ServiceConfiguration',
  {
    id: Type.String({ description: 'A uuid.' }),
    solutionId: Type.String(),
    service: Type.String({
      description: 'The name of the service, or the id of a connector or a solution.',
    }),
    alias: Type.String({ description: 'Its name in scripts.', wire: 'script_key' }),
    parameters: settings('Its settings, without secrets.'),
    triggers: settings('Its settings by event.'),
    createdAt: Microseconds(),
    updatedAt: Microseconds(),
    notes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a change: what is stored, and may not be meant.',
        wire: 'change_notes',
      }),
    ),
  },
  { description: 'A service of a solution.' },
)

const ownSettings = 'Its other fields are the settings of the service, which checks them.'
const shownOnly = Type.Optional(
  AnyValue<unknown>({ description: 'Shown only; it is ignored where it is sent.' }),
)

/** An answer can be written back: these fields of it are ignored. */
const shownFields = {
  id: shownOnly,
  solution_id: shownOnly,
  created_at: shownOnly,
  updated_at: shownOnly,
  change_notes: shownOnly,
}
const wantedFields = { script_key: Type.Optional(aliasSchema), ...shownFields }

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
    const items = await configurations.list(...solutionOf(call))
    return { items, total: items.length }
  },
)

export const addConfiguration = on.post(
  '',
  'Add a service to a solution.',
  () => ({
    description: 'Default scripts of its events become handlers, unless the solution has them.',
    body: Type.Object(
      { service: serviceSchema, ...wantedFields },
      { component: 'NewServiceConfiguration', description: ownSettings },
    ),
    ...makes('The service.', configurationSchema),
    refuses: ['already_exists', 'script_refused', 'forbidden'],
    example: { request: { service: 'pumps', parameters: { forward_events: true } } },
  }),
  async ({ scripting: { configurations } }, call) => {
    return configurations.add(...solutionOf(call), wantedOf(call.body))
  },
)

export const getConfiguration = on.get(
  '/:id',
  'Show a service of a solution.',
  () => shows('The service.', configurationSchema),
  ({ scripting: { configurations } }, call) =>
    configurations.get(...solutionOf(call), call.params.id),
)

export const getServiceSettings = on.get(
  '/:id/settings',
  'Show the settings of a service of a solution with their schema, for forms.',
  () => ({
    description:
      'The schema is that of `parameters` in changes: secrets are `writeOnly`, what is shown ' +
      'only is `readOnly`. A setting that is left out of a change stays; one that may be null is ' +
      'removed by it. A refusal begins with the place of the setting.',
    ...shows(
      'The settings.',
      StrictObject({
        schema: Nullable(RecordOf(AnyValue<unknown>()), {
          description: 'JSON Schema; null: the service takes any.',
        }),
        values: settings('The settings, without secrets.'),
        secrets_set: Type.Array(Type.String(), {
          description: 'JSON pointers of the secrets that have a value, which nobody sees.',
        }),
        has_triggers: Type.Boolean({ description: 'It has settings by event, too.' }),
      }),
    ),
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
    const one = await configurations.get(...solutionOf(call), call.params.id)
    const contract = await configurations.settingsOf(one)
    return {
      schema: contract === undefined ? null : new Components().describe(contract.schema()),
      values: one.parameters,
      secrets_set: [...(contract?.secretsOf(one) ?? [])],
      has_triggers: contract?.hasTriggers ?? true,
    }
  },
)

const changeDetails = () =>
  ({
    description: 'PUT and PATCH are the same: the service decides what becomes of fields left out.',
    query: StrictObject({ allowBreaking }),
    body: Type.Object(
      { service: Type.Optional(serviceSchema), ...wantedFields },
      { component: 'ServiceConfigurationChange', description: ownSettings },
    ),
    ...shows('The service.', configurationSchema),
    refuses: ['already_exists', 'script_refused', 'breaking_change'],
    example: { request: { parameters: { forward_events: true } } },
  }) as const

type Change = Call<ReturnType<typeof changeDetails>, '/:solution/:id'>

async function changeConfiguration({ scripting: { configurations } }: ApiServices, call: Change) {
  const { service, ...wanted } = wantedOf(call.body)
  const where = [...solutionOf(call), call.params.id] as const
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
    configurations.remove(...solutionOf(call), call.params.id),
)

type WantedBody = { readonly service?: string; readonly script_key?: string }

/** The settings of a service in a body. */
function wantedOf<Body extends WantedBody>({ service, script_key: alias, ...rest }: Body) {
  const settings = Object.entries(rest).filter(([name]) => !Object.hasOwn(shownFields, name))
  const body: Readonly<Record<string, unknown>> = Object.fromEntries(settings)
  return { service: service as Body['service'], alias, body }
}
