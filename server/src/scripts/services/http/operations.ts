import {
  AnyValue,
  Bytes,
  defineOperations,
  RecordOf,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { httpClientLimits } from './limits.ts'
import { createSslOptionsSchema } from './ssl-options.ts'

type Fields = { readonly [key: string]: ScriptValue }

function isTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

function timeOut(description: string, preset: number, maximum: number) {
  return Type.Integer({
    description,
    minimum: 1,
    maximum,
    default: preset,
    rule: `must be an integer from 1 to ${maximum}`,
  })
}

/** Other arguments are ignored, as existing programs expect. */
function createArguments() {
  return Type.Object({
    method: Type.Optional(
      Type.String({ description: 'Of `request` only: the method in any case; `get` if left out.' }),
    ),
    url: Type.String({
      description: 'The address, of http or https.',
      maxLength: httpClientLimits.httpUrlCharsMax,
      emptyAsMissing: true,
      missing: 'is missing',
    }),
    headers: Type.Unsafe<Fields>(
      RecordOf(AnyValue<ScriptValue>(), {
        description: 'The headers of the request.',
        default: {},
      }),
    ),
    body: Type.Optional(
      Type.Union([Type.String(), Bytes()], {
        description: 'The body as it is.',
        rule: 'must be a string',
      }),
    ),
    json: Type.Optional(
      Type.Unsafe<ScriptValue>(
        Type.Refine(
          Type.Unknown({ description: 'A table that is sent as JSON.' }),
          isTable,
          () => 'must be an object',
        ),
      ),
    ),
    params: Type.Optional(
      Type.Unsafe<Fields>(
        RecordOf(AnyValue<ScriptValue>(), {
          description: 'The query of a GET, else a form.',
        }),
      ),
    ),
    credentials: Type.Optional(
      Type.String({ description: 'Secrets by name, in place of those of the configuration.' }),
    ),
    sslOptions: Type.Optional(createSslOptionsSchema()),
    conn_timeout: timeOut(
      'Milliseconds until the connection is open.',
      httpClientLimits.httpConnectMs,
      httpClientLimits.httpConnectMsMax,
    ),
    recv_timeout: timeOut(
      'Milliseconds until the answer is there.',
      httpClientLimits.httpReceiveMs,
      httpClientLimits.httpReceiveMsMax,
    ),
  })
}

const textOrBytes = Type.Union([Type.String(), Bytes()])

const result = StrictObject({
  status_code: Type.Integer(),
  headers: RecordOf(textOrBytes, { description: 'By lower-case names.' }),
  body: textOrBytes,
})

export const httpOperations = defineOperations(
  () => {
    const args = createArguments()
    const operation = (description: string) => ({ description, args, result })
    return {
      delete: operation('Sends a DELETE request.'),
      get: operation('Sends a GET request.'),
      head: operation('Sends a HEAD request.'),
      options: operation('Sends an OPTIONS request.'),
      patch: operation('Sends a PATCH request.'),
      post: operation('Sends a POST request.'),
      put: operation('Sends a PUT request.'),
      request: operation('Sends a request with the method that is given.'),
    }
  },
  { name: 'the arguments', objectRule: 'must be an object' },
)
