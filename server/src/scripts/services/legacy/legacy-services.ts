import {
  AnyValue,
  defineOperations,
  EmptyObject,
  Fault,
  implement,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Service, ServiceCall } from '../../scripting/index.ts'

/** A service of an earlier generation: every operation names its successor. */
type LegacyService = {
  readonly name: string
  readonly operations: readonly string[]
  readonly successor: string
}

const legacyServices: readonly LegacyService[] = [
  {
    name: 'Timeseries',
    operations: ['write', 'query', 'command'],
    successor: 'Tsdb (Tsdb.write, Tsdb.query)',
  },
  {
    name: 'Device',
    operations: ['rpcCall', 'list', 'read', 'write', 'info', 'create', 'update', 'delete'],
    successor: 'Device2 (getIdentityState, setIdentityState, listIdentities)',
  },
  {
    name: 'Twilio',
    operations: [
      'postMessage',
      'listMessage',
      'getMessage',
      'deleteMessage',
      'createCall',
      'listCall',
      'getCall',
      'deleteCall',
      'listMedia',
      'getMedia',
      'deleteMedia',
    ],
    successor: 'Notification (its channel sms), or Http with an account of your own',
  },
]

/** Whatever the arguments are, the answer is the same. */
const createSchema = (superseded: string) => ({
  superseded,
  description: 'Is no longer served; the error names the successor.',
  args: Type.Object({}, { additionalProperties: AnyValue<unknown>() }),
  result: EmptyObject(),
})

/**
 * Services that scripts of earlier years call. Nothing is emulated: an error that says what to call
 * is better than a result that looks right. A solution may use the names for its own services.
 */
export function createLegacyServices(): readonly Service[] {
  return legacyServices.map(legacyService)
}

function legacyService({ name, operations, successor }: LegacyService): Service {
  const formatLegacy = (operation: string) =>
    `${name}.${operation} is no longer served; use ${successor}`
  const schemas = defineOperations(() =>
    Object.fromEntries(operations.map((one) => [one, createSchema(formatLegacy(one))])),
  )
  const refused = operations.map((operation) => [
    operation,
    async (_call: ServiceCall) => {
      throw new Fault('superseded', formatLegacy(operation))
    },
  ])
  return {
    name: name.toLowerCase(),
    always: true,
    yields: true,
    events: [],
    operation: implement(schemas, Object.fromEntries(refused)),
  }
}
