import {
  AnyValue,
  limits,
  Nullable,
  RecordOf,
  StrictObject,
  Type,
  toPointer,
} from '../../../foundation/kernel/index.ts'
import type { ServiceSettings } from '../../scripting/index.ts'
import { openapiLimits } from './limits.ts'

const optional = Type.Optional

function createSchema() {
  const secret = RecordOf(Type.String({ writeOnly: true }))
  return StrictObject({
    definition: AnyValue<unknown>({
      title: 'OpenAPI document',
      description: 'It describes the operations: an object, or its text.',
    }),
    base_url: optional(
      Nullable(
        Type.String({
          title: 'Base URL',
          description: 'In place of that of the document.',
        }),
      ),
    ),
    variables: optional(
      Nullable(
        RecordOf(Type.String(), {
          title: 'Variables',
          description: 'Of the URL: host names, or parts of them.',
        }),
      ),
    ),
    events: optional(
      Nullable(
        Type.Array(Type.String(), {
          title: 'Events',
          description: 'Beside the callbacks of the document.',
          maxItems: limits.interfaceEventsMax,
        }),
      ),
    ),
    rate_per_minute: optional(
      Nullable(
        Type.Integer({
          title: 'Rate',
          description: 'The most requests a minute.',
          minimum: 1,
          maximum: openapiLimits.cloudRequestsPerMinuteMax,
          default: openapiLimits.cloudRequestsPerMinute,
        }),
      ),
    ),
    credentials: optional(
      Nullable(
        RecordOf(
          Nullable({
            ...secret,
            writeOnly: true,
            description:
              '`key`; `username` and `password`; `token`; or `client_id` and `client_secret`.',
          }),
          { title: 'Credentials', description: 'By the security scheme of the document.' },
        ),
      ),
    ),
    settingNames: optional(
      Type.Array(Type.String(), { title: 'Restricted settings that are set', readOnly: true }),
    ),
    credentialNames: optional(
      Type.Array(Type.String(), { title: 'Credentials that are set', readOnly: true }),
    ),
  })
}

/** The contract of its settings; `configure` checks what a schema cannot say. */
export const openApiSettings: ServiceSettings = {
  schema: createSchema,
  listSecrets: ({ parameters: { credentialNames = [], settingNames = [] } }) => [
    ...(credentialNames as readonly string[]).map((name) => toPointer('credentials', name)),
    ...(settingNames as readonly string[]).map((name) => toPointer(name)),
  ],
  hasTriggers: false,
  // Without them requests and their credentials may go to another host.
  guards: ['definition', 'base_url', 'variables'],
}
