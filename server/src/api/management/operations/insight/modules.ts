import { limits, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import { moduleAddressSchema } from '../../../../insight/marketplace/index.ts'
import {
  moduleChangeSchema,
  moduleCheckSchema,
  moduleDetailsSchema,
  moduleSchema,
  newModuleSchema,
} from '../../../../insight/pipelines/index.ts'
import { confirm, does, lists, makes, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const on = operations('modules', 'Setup', '/api:1', {
  isNamed: true,
  params: { module: Type.String({ description: 'The id of a module.', pattern: '^[a-z0-9]+$' }) },
})

export const listModules = on.get(
  '/modules',
  'List the insight modules, the built-in one first.',
  () => lists('modules', moduleSchema, 'The modules.'),
  ({ pipelines: { modules } }, { businessId }) => modules.list(businessId),
)

/** Faults of a route that calls the module. */
const callRefuses = ['module_failed', 'address_refused'] as const

export const addModule = on.post(
  '/modules',
  'Add an insight module, after a call to it.',
  () => ({
    body: newModuleSchema,
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

const exampleModule = {
  id: 'k3v9x1',
  businessId: 'b7d2m4',
  name: 'Forecasts',
  url: 'https://insight.example.com/v1',
  info: { group_id_required: false, name: 'Forecasts' },
  complaints: [],
  simulationSafe: false,
  createdAt: 1_767_225_600_000_000,
}

export const getModule = on.get(
  '/modules/:module',
  'Read an insight module with its parameters, its health and all complaints.',
  () => shows('The module.', moduleDetailsSchema),
  ({ pipelines: { modules } }, { businessId, params }) =>
    modules.details(businessId, params.module),
)

export const changeModule = on.patch(
  '/modules/:module',
  'Configure an insight module, or move it to another host.',
  () => ({
    description:
      'A parameter that is left out stays; null removes its value. Links stay. A `password` is ' +
      'kept for the origin that it was given for: a move to another one names it again.',
    body: moduleChangeSchema,
    ...shows('The module.', moduleDetailsSchema),
    refuses: [...callRefuses, 'definition_refused'],
    example: { request: { parameters: { token: 'secret' } } },
  }),
  ({ pipelines: { modules } }, { businessId, subject, params, body }) =>
    modules.change(businessId, params.module, body, subject),
)

export const refreshModule = on.post(
  '/modules/:module/refresh',
  'Read an insight module again: its definition, what it is, and its functions.',
  () => ({
    ...shows('The module.', moduleDetailsSchema),
    refuses: [...callRefuses, 'definition_refused'],
  }),
  ({ pipelines: { modules } }, { businessId, subject, params }) =>
    modules.refresh(businessId, params.module, subject),
)

export const checkModule = on.post(
  '/modules/:module/check',
  'Call an insight module, and name all that is wrong with it.',
  () => shows('What was found.', moduleCheckSchema),
  ({ pipelines: { modules } }, { businessId, params }) => modules.check(businessId, params.module),
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
    ...shows('Whether it may.', moduleAddressSchema),
  }),
  ({ marketplace: { calls } }, { businessId, query }) => calls.address(businessId, query.url),
)
