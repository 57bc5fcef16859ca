import {
  limits,
  Nullable,
  RecordOf,
  type Static,
  StrictObject,
  Text,
  Type,
} from '../../../kernel/index.ts'
import { component, json, Microseconds, nothing } from '../common.ts'
import { contract } from '../contract.ts'

const translations = RecordOf(
  StrictObject({
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    suggested_name: Type.Optional(Type.String()),
    enum_presented: Type.Optional(Type.Array(Type.String())),
  }),
  { description: 'By the code of the language, such as `de`.' },
)

const moduleSchema = component(
  'InsightModule',
  {
    id: Type.String(),
    businessId: Type.String(),
    name: Type.String(),
    url: Nullable(Type.String(), { description: 'Its base; null: the built-in functions.' }),
    info: StrictObject(
      {
        group_id_required: Type.Boolean(),
        name: Type.Optional(Type.String()),
        description: Type.Optional(Type.String()),
        wants_lifecycle_events: Type.Optional(Type.Boolean()),
        translations: Type.Optional(translations),
      },
      { description: 'Its answer when it was added.' },
    ),
    complaints: Type.Array(Type.String(), {
      description: 'What was wrong with its answers when it was added.',
    }),
    createdAt: Microseconds(),
  },
  { description: 'A program that calculates values, called over HTTP.' },
)

const path = '/api:1/modules'

export const listModules = contract(
  {
    id: 'listModules',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'modules',
    summary: 'List the insight modules, the built-in one first.',
  },
  () => ({
    answers: { 200: json('The modules.', StrictObject({ modules: Type.Array(moduleSchema) })) },
  }),
)

export const addModule = contract(
  {
    id: 'addModule',
    method: 'POST',
    path,
    permission: 'Setup',
    tag: 'modules',
    summary: 'Add an insight module, after a call to it.',
  },
  () => ({
    body: component('NewInsightModule', {
      name: Type.Optional(
        Text({
          description: 'Its own if it is left out.',
          maxLength: limits.nameCharsMax,
        }),
      ),
      url: Type.String({
        description: 'Its base: http(s)://host/path.',
        maxLength: limits.settingCharsMax,
      }),
    }),
    answers: { 201: json('The module.', moduleSchema) },
    refuses: ['module_failed', 'address_refused'],
    example: {
      request: { url: 'https://insight.example.com/v1' },
      answer: exampleModule,
    },
  }),
)

const exampleModule: Static<typeof moduleSchema> = {
  id: 'k3v9x1',
  businessId: 'b7d2m4',
  name: 'Forecasts',
  url: 'https://insight.example.com/v1',
  info: { group_id_required: false, name: 'Forecasts' },
  complaints: [],
  createdAt: 1_767_225_600_000_000,
}

export const removeModule = contract(
  {
    id: 'removeModule',
    method: 'DELETE',
    path: `${path}/:module`,
    permission: 'Setup',
    tag: 'modules',
    summary: 'Remove an insight module that no link uses.',
  },
  () => ({
    params: StrictObject({
      module: Type.String({ description: 'The id of a module.', pattern: '^[a-z0-9]+$' }),
    }),
    answers: { 204: nothing('It is removed.') },
    refuses: ['invalid_argument'],
  }),
)
