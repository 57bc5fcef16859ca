import {
  AnyValue,
  component,
  limits,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  RecordOf,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'
import { parameterFields, problemSchema, urlField } from '../../marketplace/index.ts'

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

export const moduleSchema = component('InsightModule', moduleFields, {
  description: 'A program that calculates values, called over HTTP.',
})
/** The built-in module has the id `builtin`. */
export type Module = StaticResult<typeof moduleSchema>

const parametersField = Type.Optional(
  RecordOf(AnyValue<unknown>(), {
    description: 'The values of its configuration parameters, by name.',
  }),
)

export const newModuleSchema = component('NewInsightModule', {
  listing: Type.Optional(
    Type.String({ description: 'The id of a listing; in place of `url`.', maxLength: 64 }),
  ),
  parameters: parametersField,
  name: Type.Optional(
    Text({ description: 'Its own if it is left out.', maxLength: limits.nameCharsMax }),
  ),
  url: urlField(
    'Its base, or the URL of its definition: https://host/path; http: on loopback only.',
  ),
  base: urlField('Where it is served, if the host of the definition at `url` is wrong.'),
})
export type NewModule = StaticResult<typeof newModuleSchema> & {
  /** The user or API token that adds it; unknown if left out. */
  readonly by?: string
}

export const moduleChangeSchema = component('InsightModuleChange', {
  name: Type.Optional(Text({ maxLength: limits.nameCharsMax })),
  parameters: parametersField,
  simulationSafe: Type.Optional(
    Type.Boolean({
      description: 'Simulations may call it: it keeps nothing, and answers the same to the same.',
    }),
  ),
  url: urlField('Where it is served now; for the owner of its listing.'),
})
export type ModuleChange = StaticResult<typeof moduleChangeSchema>

const problems = Type.Array(problemSchema, {
  description: 'What breaks the rules of definitions.',
})

/** As this process saw it. */
const healthFields = {
  failuresInRow: Type.Integer(),
  // The reason of the newest failure since its last answer.
  lastFailure: Nullable(Type.String()),
  restsUntil: OptionalMicroseconds('Until when it is not called; null if it is.'),
}
const healthSchema = StrictObject(healthFields)

export const moduleHealthSchema = component('InsightModuleHealth', {
  id: Type.String(),
  name: Type.String(),
  failuresInRow: Type.Integer({
    description: 'Of the calls of the process that answers.',
  }),
  lastFailure: Nullable(Type.String()),
  restsUntil: healthFields.restsUntil,
})
export type ModuleHealth = StaticResult<typeof moduleHealthSchema>
/** The health of a module, and the complaints: also those about its list of functions. */
export type ModuleReport = StaticResult<typeof healthSchema> & Pick<Module, 'complaints'>

export const moduleDetailsSchema = component('InsightModuleDetails', {
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
      ...parameterFields,
      isSet: Type.Boolean(),
      value: Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Null if it has none, and for a secret.',
      }),
    }),
  ),
  problems,
  health: healthSchema,
})
/** A module with its parameters, no password among them, and its condition. */
export type ModuleDetails = StaticResult<typeof moduleDetailsSchema>

/** The result of a check of a module. Parameters that have no value are complaints. */
export const moduleCheckSchema = component('InsightModuleCheck', {
  problems,
  complaints: Type.Array(Type.String()),
  failure: Nullable(Type.String(), { description: 'Null: it answered.' }),
  functions: Nullable(Type.Integer(), {
    description: 'How many it lists; null if it was not asked, or did not answer.',
  }),
})
export type ModuleCheck = StaticResult<typeof moduleCheckSchema>
