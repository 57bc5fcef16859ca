import {
  AnyValue,
  component,
  Fault,
  limits,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  RecordOf,
  type Static,
  StrictObject,
  Text,
  Type,
} from '../../../kernel/index.ts'
import { checkedUrl, type Marketplace } from '../../../marketplace/index.ts'
import { confirm, does, lists, makes, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'
import type { ApiServices } from '../../services.ts'
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

const on = operations('modules', 'Setup', '/api:1', {
  isNamed: true,
  params: { module: Type.String({ description: 'The id of a module.', pattern: '^[a-z0-9]+$' }) },
})

export const listModules = on.get(
  '/modules',
  'List the insight modules, the built-in one first.',
  () => lists('modules', moduleSchema, 'The modules.'),
  async ({ pipelines: { modules } }, { businessId }) => ({
    modules: await modules.list(businessId),
  }),
)

const parametersField = (description: string) =>
  Type.Optional(RecordOf(AnyValue<unknown>(), { description }))

/** Faults of a route that calls the module. */
const callRefuses = ['module_failed', 'address_refused'] as const

export const addModule = on.post(
  '/modules',
  'Add an insight module, after a call to it.',
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
    ...makes('The module.', moduleSchema),
    refuses: [...callRefuses, 'not_found'],
    example: {
      request: { url: 'https://insight.example.com/v1' },
      answer: exampleModule,
    },
  }),
  ({ pipelines: { modules } }, { businessId, subject, body }) =>
    modules.add(businessId, { ...body, by: subject }),
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

export const getModule = on.get(
  '/modules/:module',
  'Read an insight module with its parameters, its health and all complaints.',
  () => shows('The module.', moduleDetails),
  (services, { businessId, params }) => detailsOf(services, businessId, params.module),
)

export const changeModule = on.patch(
  '/modules/:module',
  'Configure an insight module, or move it to another host.',
  () => ({
    description:
      'A parameter that is left out stays; null removes its value. Links stay. A `password` is ' +
      'kept for the origin that it was given for: a move to another one names it again.',
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
    ...shows('The module.', moduleDetails),
    refuses: [...callRefuses, 'definition_refused'],
    example: { request: { parameters: { token: 'secret' } } },
  }),
  async (services, { businessId, subject, params, body }) => {
    const { modules } = services.pipelines
    const { url, parameters, ...rest } = body
    const { module: id } = params
    const change = url === undefined ? body : rest
    if (url !== undefined) {
      await modules.move(businessId, id, { url, parameters, by: subject })
    }
    if (Object.keys(change).length > 0) await modules.configure(businessId, id, change)
    return await detailsOf(services, businessId, id)
  },
)

export const refreshModule = on.post(
  '/modules/:module/refresh',
  'Read an insight module again: its definition, what it is, and its functions.',
  () => ({
    ...shows('The module.', moduleDetails),
    refuses: [...callRefuses, 'definition_refused'],
  }),
  async (services, { businessId, subject, params }) => {
    await services.pipelines.modules.refresh(businessId, params.module, subject)
    return await detailsOf(services, businessId, params.module)
  },
)

export const checkModule = on.post(
  '/modules/:module/check',
  'Call an insight module, and name all that is wrong with it.',
  () => ({
    ...shows(
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
  }),
  async ({ pipelines: { modules } }, { businessId, params }) => {
    return await modules.check(businessId, params.module)
  },
)

export const removeModule = on.remove(
  '/modules/:module',
  'Remove an insight module that no link uses, or with its links.',
  () => ({
    query: StrictObject({
      force: Type.Optional(
        Type.Boolean({ description: 'Its links are removed too; their signals stay.' }),
      ),
      confirm,
    }),
    ...does('It is removed.'),
    refuses: ['in_use'],
  }),
  ({ pipelines: { modules } }, { businessId, subject, params, query }) =>
    modules.remove(businessId, params.module, { ...query, by: subject }),
)

export const getModuleAddress = on.get(
  '/module-address',
  'Ask whether the instance may call an insight module at a URL.',
  () => ({
    description: 'What the name of a host resolves to is judged at each call.',
    query: StrictObject({
      url: Type.String({
        description: 'The URL of a module, or of its definition.',
        maxLength: limits.settingCharsMax,
      }),
    }),
    ...shows(
      'Whether it may.',
      StrictObject({
        allowed: Type.Boolean(),
        reason: Nullable(Type.String(), { description: 'Why not; null if it may.' }),
      }),
    ),
  }),
  async ({ marketplace }, { businessId, query }) => {
    const refused = addressRefusal(marketplace, businessId, query.url)
    return { allowed: refused === undefined, reason: refused?.detail ?? null }
  },
)

/** Why a module may not be at a URL; undefined if it may. */
function addressRefusal(
  { calls }: Pick<Marketplace, 'calls'>,
  businessId: string,
  url: string,
): Fault | undefined {
  try {
    return calls.refusal(businessId, checkedUrl(url))
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_argument') return error
    throw error
  }
}

const usPerMs = 1_000

/** A module with its parameters, no password among them, and its condition. */
async function detailsOf(
  { pipelines: { modules }, marketplace: { uses } }: ApiServices,
  businessId: string,
  id: string,
) {
  const module = await modules.get(businessId, id)
  const use = await modules.use(businessId, id)
  const { complaints, restsUntilMs, ...health } = await modules.report(businessId, id)
  const { listing } = use ?? {}
  return {
    ...module,
    complaints: [...complaints],
    listing:
      listing === undefined ? null : { id: listing.id, own: listing.businessId === businessId },
    parameters: use === undefined ? [] : uses.parameters(use),
    problems: [...(listing?.problems ?? [])],
    health: { ...health, restsUntil: restsUntilMs === null ? null : restsUntilMs * usPerMs },
  }
}
