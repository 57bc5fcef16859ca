import {
  AnyValue,
  Nullable,
  RecordOf,
  type Static,
  StrictObject,
  Type,
} from '../../kernel/index.ts'
import { aliasSchema, serviceSchema } from '../../scripting/index.ts'
import { component, json, Microseconds, nothing, PathText, solutionParams } from './common.ts'
import { contract } from './contract.ts'
import { allowBreaking } from './solutions.ts'

const settings = (description: string) => RecordOf(AnyValue<unknown>(), { description })

const configurationSchema = component(
  'ServiceConfiguration',
  {
    id: Type.String({ description: 'A uuid.' }),
    solution_id: Type.String(),
    service: Type.String({
      description: 'The name of the service, or the id of a connector or a solution.',
    }),
    script_key: Type.String({ description: 'Its name in scripts.' }),
    parameters: settings('Its settings, without secrets.'),
    triggers: settings('Its settings by event.'),
    created_at: Microseconds(),
    updated_at: Microseconds(),
  },
  { description: 'A service of a solution.' },
)

export type ConfigurationBody = Static<typeof configurationSchema>

const ownSettings = 'Its other fields are the settings of the service, which checks them.'
const shownOnly = Type.Optional(
  AnyValue<unknown>({ description: 'Shown only; it is ignored where it is sent.' }),
)

/** An answer can be written back: fields that are only shown are ignored. */
const wantedFields = {
  script_key: Type.Optional(aliasSchema),
  id: shownOnly,
  solution_id: shownOnly,
  created_at: shownOnly,
  updated_at: shownOnly,
}

const configurationParams = StrictObject({
  solution: PathText('The id of a solution.'),
  id: PathText('The id of a configuration.'),
})

const path = '/api:1/solution/:solution/serviceconfig'

export const listConfigurations = contract(
  {
    id: 'listConfigurations',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'List the services of a solution, in the order in which they were added.',
  },
  () => ({
    params: solutionParams,
    answers: {
      200: json(
        'The services.',
        StrictObject({ items: Type.Array(configurationSchema), total: Type.Integer() }),
      ),
    },
  }),
)

export const addConfiguration = contract(
  {
    id: 'addConfiguration',
    method: 'POST',
    path,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Add a service to a solution.',
    description: 'Default scripts of its events become handlers, unless the solution has them.',
  },
  () => ({
    params: solutionParams,
    body: Type.Object(
      { service: serviceSchema, ...wantedFields },
      { component: 'NewServiceConfiguration', description: ownSettings },
    ),
    answers: { 201: json('The service.', configurationSchema) },
    refuses: ['already_exists', 'script_refused', 'forbidden'],
    example: { request: { service: 'pumps', parameters: { forward_events: true } } },
  }),
)

export const getConfiguration = contract(
  {
    id: 'getConfiguration',
    method: 'GET',
    path: `${path}/:id`,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Show a service of a solution.',
  },
  () => ({
    params: configurationParams,
    answers: { 200: json('The service.', configurationSchema) },
  }),
)

export const getServiceSettings = contract(
  {
    id: 'getServiceSettings',
    method: 'GET',
    path: `${path}/:id/settings`,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Show the settings of a service of a solution with their schema, for forms.',
    description:
      'The schema is that of `parameters` in changes: secrets are `writeOnly`, what is shown ' +
      'only is `readOnly`. A setting that is left out of a change stays; one that may be null is ' +
      'removed by it. A refusal begins with the place of the setting.',
  },
  () => ({
    params: configurationParams,
    answers: {
      200: json(
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
    },
    example: {
      answer: {
        schema: { type: 'object', properties: { forward_events: { type: 'boolean' } } },
        values: { forward_events: true },
        secrets_set: [],
        has_triggers: false,
      },
    },
  }),
)

const change = {
  path: `${path}/:id`,
  permission: 'Setup',
  tag: 'solutions',
  summary: 'Change the settings of a service.',
  description: 'PUT and PATCH are the same: the service decides what becomes of fields left out.',
} as const

const changeDetails = () =>
  ({
    params: configurationParams,
    query: StrictObject({ allow_breaking: allowBreaking }),
    body: Type.Object(
      { service: Type.Optional(serviceSchema), ...wantedFields },
      { component: 'ServiceConfigurationChange', description: ownSettings },
    ),
    answers: { 200: json('The service.', configurationSchema) },
    refuses: ['already_exists', 'script_refused', 'breaking_change'],
    example: { request: { parameters: { forward_events: true } } },
  }) as const

export const replaceConfiguration = contract(
  { ...change, id: 'replaceConfiguration', method: 'PUT' },
  changeDetails,
)

export const updateConfiguration = contract(
  { ...change, id: 'updateConfiguration', method: 'PATCH' },
  changeDetails,
)

export const removeConfiguration = contract(
  {
    id: 'removeConfiguration',
    method: 'DELETE',
    path: `${path}/:id`,
    permission: 'Setup',
    tag: 'solutions',
    summary: 'Remove a service from a solution; its handlers stay.',
  },
  () => ({
    params: configurationParams,
    answers: { 204: nothing('It is removed.') },
  }),
)
