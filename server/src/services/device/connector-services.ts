import { Fault, implement, isJsonObject } from '../../kernel/index.ts'
import type { Connector } from '../../provisioning/index.ts'
import type {
  Configuration,
  ConfiguredService,
  ConfigureInput,
  Service,
  ServiceFinder,
  ServiceOutline,
} from '../../scripting/index.ts'
import { type DevicesOptions, implementationOf } from './implementation.ts'
import { deviceOperations } from './operations.ts'

/** Makes each connector a service with its events, as in existing solutions. */
const forwarding = 'return Interface.trigger({event="event", data=event})\n'

/** Connectors as services of the solutions of their own business. */
export function createConnectorServices(options: DevicesOptions): ServiceFinder {
  /** The service of a connector, as long as its settings are the same object; they are JSON. */
  const services = new WeakMap<Connector, Service>()
  return {
    async find(businessId, id) {
      const connector = await options.connectors.find(id)
      if (connector?.businessId !== businessId) return undefined
      const service = services.get(connector) ?? connectorService(options, connector.id)
      services.set(connector, service)
      return service
    },
  }
}

/** What scripts see of any connector. */
export const connectorOutline: ServiceOutline = {
  events: [{ name: 'event', title: 'event' }],
  operation: (name) => {
    const { schemas } = deviceOperations
    return Object.hasOwn(schemas, name)
      ? { schema: schemas[name as keyof typeof schemas] }
      : undefined
  },
}

/** The connector of an id, whether it is stored already or not. */
export function connectorService(options: DevicesOptions, id: string): Service {
  return {
    name: id,
    always: false,
    connector: true,
    events: [],
    eventsOf: ({ parameters }: Configuration) => [
      {
        name: 'event',
        title: 'event',
        ...(parameters.forward_events === true && { defaultScript: forwarding }),
      },
    ],
    operation: implement(deviceOperations, implementationOf(options, id)),
    configure: async (input) => configure(input),
  }
}

function configure({ body, before }: ConfigureInput): ConfiguredService {
  const unknownField = Object.keys(body).find((name) => !['parameters', 'triggers'].includes(name))
  if (unknownField !== undefined)
    throw invalid(`${JSON.stringify(unknownField.slice(0, 100))} is no field`)
  const { parameters = before?.parameters ?? {}, triggers = {} } = body
  if (!isJsonObject(parameters)) throw invalid('parameters must be an object')
  if (!isJsonObject(triggers) || Object.keys(triggers).length > 0) {
    throw invalid('triggers of a connector must be empty')
  }
  const { forward_events: forwards = false, own = false, ...more } = parameters
  const [other] = Object.keys(more)
  if (other !== undefined) throw invalid(`parameters has no field ${JSON.stringify(other)}`)
  if (typeof forwards !== 'boolean')
    throw invalid('parameters.forward_events must be true or false')
  if (typeof own !== 'boolean') throw invalid('parameters.own must be true or false')
  return { alias: 'device2', parameters: { forward_events: forwards, ...(own && { own }) } }
}

function invalid(sentence: string): Fault {
  return new Fault('invalid_argument', sentence)
}
