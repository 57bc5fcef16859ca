import {
  AnyValue,
  limits,
  Nullable,
  RecordOf,
  type Static,
  StrictObject,
  Text,
  Type,
} from '../../../kernel/index.ts'
import { component, json, Microseconds, nothing, OptionalMicroseconds } from '../common.ts'
import { contract } from '../contract.ts'
import { confirm } from '../schemas/dependants.ts'
import { declarationFields, problem } from './listings.ts'

const translations = RecordOf(
  StrictObject({
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    suggested_name: Type.Optional(Type.String()),
    enum_presented: Type.Optional(Type.Array(Type.String())),
  }),
  { description: 'By the code of the language, such as `de`.' },
)

const moduleFields = {
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
  simulationSafe: Type.Boolean({
    description: 'Simulations call it; otherwise its outlets have what was recorded.',
  }),
  createdAt: Microseconds(),
} as const

const moduleSchema = component('InsightModule', moduleFields, {
  description: 'A program that calculates values, called over HTTP.',
})

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

const parametersField = (description: string) =>
  Type.Optional(RecordOf(AnyValue<unknown>(), { description }))

const params = StrictObject({
  module: Type.String({ description: 'The id of a module.', pattern: '^[a-z0-9]+$' }),
})

/** Faults of a route that calls the module. */
const callRefuses = ['module_failed', 'address_refused'] as const

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
      listing: Type.Optional(
        Type.String({ description: 'The id of a listing; in place of `url`.', maxLength: 64 }),
      ),
      parameters: parametersField('The values of its configuration parameters, by name.'),
      name: Type.Optional(
        Text({
          description: 'Its own if it is left out.',
          maxLength: limits.nameCharsMax,
        }),
      ),
      url: Type.Optional(
        Type.String({
          description:
            'Its base, or the URL of its definition: https://host/path; http: on loopback only.',
          maxLength: limits.settingCharsMax,
        }),
      ),
      base: Type.Optional(
        Type.String({
          description: 'Where it is served, if the host of the definition at `url` is wrong.',
          maxLength: limits.settingCharsMax,
        }),
      ),
    }),
    answers: { 201: json('The module.', moduleSchema) },
    refuses: [...callRefuses, 'not_found'],
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
  simulationSafe: false,
  createdAt: 1_767_225_600_000_000,
}

const moduleDetails = component('InsightModuleDetails', {
  ...moduleFields,
  listing: Nullable(
    StrictObject({
      id: Type.String(),
      own: Type.Boolean({ description: 'The business owns it, and may move it.' }),
    }),
    { description: 'Null: the built-in functions.' },
  ),
  parameters: Type.Array(
    component('InsightModuleParameter', {
      ...declarationFields,
      isSet: Type.Boolean(),
      value: Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Null if it has none, and for a secret.',
      }),
    }),
  ),
  problems: Type.Array(problem, { description: 'What breaks the rules of definitions.' }),
  health: StrictObject({
    failuresInRow: Type.Integer(),
    lastFailure: Nullable(Type.String()),
    restsUntil: OptionalMicroseconds('Until when it is not called; null if it is.'),
  }),
})

export const getModule = contract(
  {
    id: 'getModule',
    method: 'GET',
    path: `${path}/:module`,
    permission: 'Setup',
    tag: 'modules',
    summary: 'Read an insight module with its parameters, its health and all complaints.',
  },
  () => ({ params, answers: { 200: json('The module.', moduleDetails) } }),
)

export const changeModule = contract(
  {
    id: 'changeModule',
    method: 'PATCH',
    path: `${path}/:module`,
    permission: 'Setup',
    tag: 'modules',
    summary: 'Configure an insight module, or move it to another host.',
    description:
      'A parameter that is left out stays; null removes its value. Links stay. A `password` is ' +
      'kept for the origin that it was given for: a move to another one names it again.',
  },
  () => ({
    params,
    body: component('InsightModuleChange', {
      name: Type.Optional(Text({ maxLength: limits.nameCharsMax })),
      parameters: parametersField('The values of its configuration parameters, by name.'),
      simulationSafe: Type.Optional(
        Type.Boolean({
          description:
            'Simulations may call it: it keeps nothing, and answers the same to the same.',
        }),
      ),
      url: Type.Optional(
        Type.String({
          description: 'Where it is served now; for the owner of its listing.',
          maxLength: limits.settingCharsMax,
        }),
      ),
    }),
    answers: { 200: json('The module.', moduleDetails) },
    refuses: [...callRefuses, 'definition_refused'],
    example: { request: { parameters: { token: 'secret' } } },
  }),
)

export const refreshModule = contract(
  {
    id: 'refreshModule',
    method: 'POST',
    path: `${path}/:module/refresh`,
    permission: 'Setup',
    tag: 'modules',
    summary: 'Read an insight module again: its definition, what it is, and its functions.',
  },
  () => ({
    params,
    answers: { 200: json('The module.', moduleDetails) },
    refuses: [...callRefuses, 'definition_refused'],
  }),
)

export const checkModule = contract(
  {
    id: 'checkModule',
    method: 'POST',
    path: `${path}/:module/check`,
    permission: 'Setup',
    tag: 'modules',
    summary: 'Call an insight module, and name all that is wrong with it.',
  },
  () => ({
    params,
    answers: {
      200: json(
        'What was found.',
        component('InsightModuleCheck', {
          problems: Type.Array(problem, { description: 'What breaks the rules of definitions.' }),
          complaints: Type.Array(Type.String()),
          failure: Nullable(Type.String(), { description: 'Null: it answered.' }),
          functions: Nullable(Type.Integer(), {
            description: 'How many it lists; null if it was not asked, or did not answer.',
          }),
        }),
      ),
    },
  }),
)

export const removeModule = contract(
  {
    id: 'removeModule',
    method: 'DELETE',
    path: `${path}/:module`,
    permission: 'Setup',
    tag: 'modules',
    summary: 'Remove an insight module that no link uses, or with its links.',
  },
  () => ({
    params,
    query: StrictObject({
      force: Type.Optional(
        Type.Boolean({ description: 'Its links are removed too; their signals stay.' }),
      ),
      confirm,
    }),
    answers: { 204: nothing('It is removed.') },
    refuses: ['in_use'],
  }),
)

export const getModuleAddress = contract(
  {
    id: 'getModuleAddress',
    method: 'GET',
    path: '/api:1/module-address',
    permission: 'Setup',
    tag: 'modules',
    summary: 'Ask whether the instance may call an insight module at a URL.',
    description: 'What the name of a host resolves to is judged at each call.',
  },
  () => ({
    query: StrictObject({
      url: Type.String({
        description: 'The URL of a module, or of its definition.',
        maxLength: limits.settingCharsMax,
      }),
    }),
    answers: {
      200: json(
        'Whether it may.',
        StrictObject({
          allowed: Type.Boolean(),
          reason: Nullable(Type.String(), { description: 'Why not; null if it may.' }),
        }),
      ),
    },
  }),
)
