import {
  AnyValue,
  limits,
  Nullable,
  RecordOf,
  StrictObject,
  type TSchema,
  Type,
  toPointer,
} from '../../../foundation/kernel/index.ts'
import type { ServiceSettings } from '../../scripting/index.ts'
import { webserviceLimits } from './limits.ts'

const text = (most: number) => Type.String({ maxLength: most })

/** The settings that are stored as they are. */
export function createDocumentSchema() {
  return Type.Object({
    documented_endpoints: Type.Optional(
      Type.Array(text(limits.scriptNameCharsMax), {
        title: 'Documented endpoints',
        description: 'Tags, paths, or names such as `GET /x`. Without them: all.',
        maxItems: limits.scriptsMax,
      }),
    ),
    api_info: Type.Optional(
      RecordOf(AnyValue<unknown>(), {
        title: 'About the API',
        description: 'The `info` of its OpenAPI document.',
      }),
    ),
    security_schemes: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.Optional(text(limits.nameCharsMax)),
          name: Type.Optional(text(limits.nameCharsMax)),
          in: Type.Optional(text(limits.nameCharsMax)),
          scheme: Type.Optional(text(limits.nameCharsMax)),
        }),
        {
          title: 'Security schemes',
          description: 'The credentials that its OpenAPI document names.',
          maxItems: webserviceLimits.endpointKeysMax,
        },
      ),
    ),
    security: Type.Optional(
      Type.Array(AnyValue<unknown>(), {
        title: 'Security',
        description:
          'Of endpoints without `--#SECURITY`: `basic`, `bearer`, `apiKey`, or with `platform`.',
        maxItems: webserviceLimits.endpointKeysMax,
      }),
    ),
    schema: Type.Optional(
      RecordOf(AnyValue<unknown>(), {
        title: 'Schema',
        description: '`paths` and `definitions` of its OpenAPI document.',
      }),
    ),
    headers: Type.Optional(
      RecordOf(text(limits.settingCharsMax), {
        title: 'Headers',
        description: 'Of each answer whose script does not set them.',
      }),
    ),
    default_page: Type.Optional(
      Type.String({
        title: 'Default page',
        description: 'The static file that answers for a folder.',
        default: 'index.html',
        pattern: '^[\\w@-][\\w.@-]*$',
        maxLength: limits.nameCharsMax,
      }),
    ),
    rate_limit: Type.Optional(
      Type.Integer({
        title: 'Rate limit',
        description: 'Requests a minute, of endpoints without a rate of their own; 0: any number.',
        minimum: 0,
        maximum: limits.endpointRateMax,
      }),
    ),
  })
}

function createSchema() {
  const names = () => Type.Array(Type.String(), { maxItems: webserviceLimits.endpointCorsItemsMax })
  const { endpointKeyCharsMin: minLength, endpointKeyCharsMax: maxLength } = webserviceLimits
  const cors = StrictObject(
    {
      origin: Type.Array(Type.String(), { title: 'Origins', description: '`*`: all.' }),
      methods: Type.Optional({ ...names(), title: 'Methods' }),
      headers: Type.Optional({ ...names(), title: 'Headers of requests' }),
      credentials: Type.Optional(Type.Boolean({ title: 'With credentials', default: false })),
    },
    { title: 'CORS', description: 'The pages of other origins that may call it.' },
  )
  const key = Nullable(Type.String({ minLength, maxLength, writeOnly: true }))
  const keys = RecordOf(key, {
    title: 'API keys',
    description: 'By name; a caller sends one in the header `x-api-key`.',
  })
  const stored = Object.entries(createDocumentSchema().properties as Record<string, TSchema>)
  return StrictObject({
    cors: Type.Optional(Nullable(cors)),
    api_keys: Type.Optional(Nullable(keys)),
    ...Object.fromEntries(stored.map(([name, one]) => [name, Type.Optional(Nullable(one))])),
  })
}

/** The contract of the settings of endpoints; `configure` checks what a schema cannot say. */
export const webserviceSettings: ServiceSettings = {
  schema: createSchema,
  listSecrets: ({ parameters: { api_key_names: names = [] } }) =>
    (names as readonly string[]).map((name) => toPointer('api_keys', name)),
  hasTriggers: false,
  guards: ['security'],
}
