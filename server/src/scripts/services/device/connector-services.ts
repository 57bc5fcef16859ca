import type { Connector } from '../../../devices/provisioning/index.ts'
import {
  createSettingsParser,
  Fault,
  implement,
  isJsonObject,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type {
  Configuration,
  ConfiguredService,
  ConfigureInput,
  Service,
  ServiceFinder,
  ServiceOutline,
  ServiceSettings,
} from '../../scripting/index.ts'
import { type DevicesOptions, makeImplementation } from './implementation.ts'
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

/** The outline of any connector for scripts. */
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
    listEvents: ({ parameters }: Configuration) => [
      {
        name: 'event',
        title: 'event',
        ...(parameters.forward_events === true && { defaultScript: forwarding }),
      },
    ],
    operation: implement(deviceOperations, makeImplementation(options, id)),
    configure: async (input) => configure(input),
    settings,
  }
}

const settings: ServiceSettings = {
  schema: createSettingsSchema,
  listSecrets: () => [],
  hasTriggers: false,
}

function createSettingsSchema() {
  return StrictObject({
    forward_events: Type.Optional(
      Type.Boolean({
        title: 'Forward events',
        description: 'When it is added: a handler triggers its events for subscribers.',
        default: false,
        rule: 'must be true or false',
      }),
    ),
    own: Type.Optional(
      Type.Boolean({
        title: 'Own connector',
        description: 'A file of the solution describes it.',
        default: false,
        rule: 'must be true or false',
      }),
    ),
  })
}

const parse = createSettingsParser(createSettingsSchema, 'parameters')

function configure({ body, before }: ConfigureInput): ConfiguredService {
  const unknownField = Object.keys(body).find((name) => !['parameters', 'triggers'].includes(name))
  if (unknownField !== undefined)
    throw invalid(`${JSON.stringify(unknownField.slice(0, 100))} is no field`)
  const { parameters = before?.parameters ?? {}, triggers = {} } = body
  if (!isJsonObject(triggers) || Object.keys(triggers).length > 0) {
    throw invalid('triggers of a connector must be empty')
  }
  const { forward_events: forwards = false, own = false } = parse(parameters)
  return { alias: 'device2', parameters: { forward_events: forwards, ...(own && { own }) } }
}

function invalid(sentence: string): Fault {
  return new Fault('invalid_argument', sentence)
}
