import { Fault, isJsonObject, Type, type VendorName } from '../../../foundation/kernel/index.ts'
import type {
  Configuration,
  Operation,
  ScriptValue,
  Service,
  ServiceCall,
  ServiceOutline,
  ServiceSecrets,
} from '../../scripting/index.ts'
import { type CallbackOptions, type CloudCallbacks, createCallbacks } from './callbacks.ts'
import { configure, createReader, type OpenedConfiguration } from './configuration.ts'
import { openCredentials, settingsKey } from './credentials.ts'
import type { CloudOperation } from './definition.ts'
import { composeCall } from './request.ts'
import { type CloudRate, CloudSender, createCloudRate } from './send.ts'
import { openApiSettings } from './settings.ts'

export type OpenApiOptions = CallbackOptions & {
  readonly secrets: ServiceSecrets
  /** The service `http`: its guards and limits hold. */
  readonly http: Pick<Service, 'operation'>
  readonly vendors: readonly VendorName[]
}

/** Gives the URL of an event; a document may have an operation of this name instead. */
const ownOperation = 'getCallbackUrl'

/**
 * Services that a solution describes by an OpenAPI file: their operations are those of the file,
 * by operationId, and their callbacks are events of the solution.
 */
export function createOpenApiServices(options: OpenApiOptions): {
  readonly service: Service
  readonly callbacks: CloudCallbacks
} {
  const callbacks = createCallbacks(options)
  const prefixes = options.vendors.map(({ openapiPrefix }) => openapiPrefix)
  const read = createReader(prefixes)
  const request = options.http.operation('request')
  if (request === undefined) throw new Error('the service http has no operation request')
  const sender = new CloudSender(request, options.clock)
  const rate = createCloudRate(options.clock, 'requests')
  const work = { ...options, callbacks, read, sender, rate }
  const service: Service = {
    name: 'openapi',
    always: false,
    events: [],
    listEvents: (configuration) =>
      read(configuration).events.map((name) => ({ name, title: 'event' })),
    operation: (name) => (call, args) => run(work, name, call, args),
    makeOutline: (configuration) => outline(read(configuration)),
    configure: async (input) => configure(input, options.secrets, prefixes),
    settings: openApiSettings,
  }
  return { service, callbacks }
}

type Work = OpenApiOptions & {
  readonly callbacks: CloudCallbacks
  readonly read: (configuration: Configuration) => OpenedConfiguration
  readonly sender: CloudSender
  readonly rate: CloudRate
}

async function run(
  { callbacks, read, sender, secrets, rate }: Work,
  name: string,
  call: ServiceCall,
  args: ScriptValue,
): Promise<ScriptValue> {
  const { configuration, solutionId } = call
  if (configuration === undefined) throw new Fault('not_found', 'The service has no file.')
  const definition = read(configuration)
  const operation = definition.operations.get(name)
  const callbackTo = (event: string) => {
    if (!definition.events.includes(event)) {
      throw new Fault('invalid_argument', `the service ${call.alias} has no event ${event}`)
    }
    return callbacks.makeUrl({ solutionId, id: configuration.id, event })
  }
  if (operation === undefined && name === ownOperation) {
    return { ...callbackTo(String(isJsonObject(args) ? args.event : undefined)) }
  }
  if (operation === undefined) {
    throw new Fault('not_found', `The service ${call.alias} has no operation ${name}.`)
  }
  const credentials = openCredentials(secrets, configuration)
  const { businessId } = call
  const composed = composeCall({
    definition,
    operation,
    args,
    variables: definition.variables,
    known: { solution_id: solutionId, business_id: businessId, service_id: configuration.id },
    values: { ...definition.values, ...credentials[settingsKey] },
    callbackUrl: (event) => callbackTo(event).url,
    unknown: (argument) => call.unknown?.(name, argument),
  })
  rate(configuration.id, definition.requestsPerMinute)
  return sender.send({ call, configuration, definition, operation, credentials, request: composed })
}

function outline({ operations, events, server, settings }: OpenedConfiguration): ServiceOutline {
  return {
    events: events.map((name) => ({ name })),
    operation(name): Pick<Operation, 'schema'> | undefined {
      const operation = operations.get(name)
      if (operation === undefined) return name === ownOperation ? {} : undefined
      return { schema: makeSchema(operation, [...(server?.variables.keys() ?? [])], settings) }
    },
  }
}

/** The arguments of an operation, for a check of the calls. */
function makeSchema(
  { id, parameters, body }: CloudOperation,
  variables: readonly string[],
  settings: OpenedConfiguration['settings'],
) {
  const optional = Type.Optional(Type.Unknown())
  const fields = [
    ...variables.map((name) => [name, optional] as const),
    ...parameters.map(
      ({ name, required, from }) =>
        [
          name,
          required && from === undefined && !settings.has(name) ? Type.Unknown() : optional,
        ] as const,
    ),
    ...(body === undefined ? [] : [[body.name, optional] as const]),
  ]
  const isOpen = body !== undefined && body.type !== 'raw'
  const args = Type.Object(Object.fromEntries(fields), { additionalProperties: isOpen })
  return { description: id, args, result: Type.Unknown() }
}
