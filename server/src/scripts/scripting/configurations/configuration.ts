import {
  AnyValue,
  component,
  type Fields,
  invalidField,
  isJsonObject,
  Microseconds,
  Nullable,
  RecordOf,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import { aliasSchema } from '../registry/alias.ts'

const settings = (description: string) => RecordOf(AnyValue<unknown>(), { description })

export const configurationSchema = component(
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

/**
 * A configuration that was stored, with sentences for the caller if some of its settings may not be
 * meant.
 */
export type StoredConfiguration = StaticResult<typeof configurationSchema> & {
  readonly businessId: string
  /** True if the service is a connector: a solution may have had the same id. */
  readonly connector: boolean
  readonly hidden: Readonly<Record<string, unknown>>
}

/**
 * A service that a solution has, with its alias and its settings. For an exposed solution it is the
 * spec's subscription. Scripts call it as `Alias.operation{…}`; its handlers are `<alias>_<event>`.
 */
export type Configuration = Omit<StoredConfiguration, 'notes'>

export const serviceSettingsSchema = StrictObject({
  schema: Nullable(RecordOf(AnyValue<unknown>()), {
    description: 'JSON Schema; null: the service takes any.',
  }),
  values: settings('The settings, without secrets.'),
  secretsSet: Type.Array(Type.String(), {
    description: 'JSON pointers of the secrets that have a value, which nobody sees.',
  }),
  hasTriggers: Type.Boolean({ description: 'It has settings by event, too.' }),
})

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

const ownSettings = 'Its other fields are the settings of the service, which checks them.'

const serviceName = /^[a-zA-Z0-9-]{1,63}$/
const serviceRule = 'must be the name of a service, or the id of a solution or connector'

const serviceSchema = Type.String({ pattern: serviceName.source, rule: serviceRule })

export const newConfigurationSchema = Type.Object(
  { service: serviceSchema, ...wantedFields },
  { component: 'NewServiceConfiguration', description: ownSettings },
)

export const configurationChangeSchema = Type.Object(
  { service: Type.Optional(serviceSchema), ...wantedFields },
  { component: 'ServiceConfigurationChange', description: ownSettings },
)

type WantedBody = { readonly service?: string; readonly script_key?: string }

/** The service and its settings as a body has them. */
export function splitBody<Body extends WantedBody>({ service, script_key: alias, ...rest }: Body) {
  const settings = Object.entries(rest).filter(([name]) => !Object.hasOwn(shownFields, name))
  const body: Fields = Object.fromEntries(settings)
  return { service: service as Body['service'], alias, body }
}

/** @throws Fault invalid_argument unless it has the shape of a service's name or id. */
export function checkService(service: unknown): string {
  if (typeof service === 'string' && serviceName.test(service)) return service
  throw invalidField('service', serviceRule)
}

// JSON.stringify escapes a NUL and half of a pair in this spelling, and no other text.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** Checks that a value is an object that can be stored: not too large, of well-formed texts. */
export function storableField(field: string, value: unknown, bytesMax: number): Fields {
  if (!isJsonObject(value)) throw invalidField(field, 'must be an object')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > bytesMax)
    throw invalidField(field, `has more than ${bytesMax} bytes`)
  if (unstorable.test(text))
    throw invalidField(field, 'holds a NUL, or Unicode that is not well-formed')
  return value
}
