import type { Database } from '../../../foundation/database/index.ts'
import {
  type Clock,
  type Implementation,
  implement,
  type StaticResult,
} from '../../../foundation/kernel/index.ts'
import type {
  ConfigurationChange,
  Offers,
  ScriptingApi,
  Service,
  ServiceCall,
  ServiceEvent,
  ServiceFinder,
} from '../../scripting/index.ts'
import type { ExternalCalls } from './calls/external-calls.ts'
import { trigger, triggerOne } from './calls/trigger.ts'
import type { InterfaceClients } from './client/clients.ts'
import type { Definition } from './definition/definition.ts'
import type { Definitions } from './definition/definitions.ts'
import { refuseBreaking } from './definition/impact.ts'
import { definitionIn, ownEvents, parseDefinition } from './definition/parse-definition.ts'
import { refusals } from './errors.ts'
import { type Exposed, getDefinition, payloadTitle } from './exposed/exposed-definition.ts'
import { type ExposedServices, serviceName } from './exposed/exposed-services.ts'
import { interfaceOperations } from './operations.ts'
import type { Quotas } from './quotas/quotas.ts'
import { deleteQuotas } from './store.ts'
import type { SubscriberAdmin } from './subscribers/subscriber-admin.ts'
import type { Subscriber, Subscribers } from './subscribers/subscribers.ts'

export type InterfaceOptions = {
  readonly scripts: ScriptingApi
  readonly database: Database
  readonly clock: Clock
}

/** The interface service, and the finder of exposed solutions; main.ts registers both. */
export type Interface = {
  readonly service: Service
  readonly finder: ServiceFinder
  readonly subscribers: SubscriberAdmin
  readonly externalCalls: ExternalCalls
  readonly clients: InterfaceClients
  readonly definitions: Definitions
}

export type InterfaceServiceOptions = {
  readonly scripts: ScriptingApi
  readonly exposedServices: ExposedServices
  readonly subscribers: Subscribers
  readonly quotas: Pick<Quotas, 'forget'>
}

/** The service `interface`: exposes a solution to others, and sends them events. */
export function interfaceService(options: InterfaceServiceOptions): Service {
  const { exposedServices, quotas, scripts } = options
  return {
    name: serviceName,
    always: true,
    events: ownEvents.map((name) => ({ name, title: 'subscription' })),
    listEvents: (configuration) => getDefinition(configuration).operations.map(toEvent),
    operation: implement(interfaceOperations, makeOperations(options)),
    async configure({ solutionId, before, body, allowBreaking, note }) {
      const definition = parseDefinition(solutionId, definitionIn(body), note)
      if (before !== undefined && allowBreaking !== true) {
        await refuseBreaking(scripts, before, definition)
      }
      return { alias: serviceName, parameters: definition, offers: listOffers(definition) }
    },
    async onConfigurationChange(_change: ConfigurationChange) {
      exposedServices.forget()
    },
    forget() {
      exposedServices.forget()
      quotas.forget()
    },
    removeIn: deleteQuotas,
  }
}

/** Returns the names and events that a subscriber must be able to use. */
function listOffers({ default_script_key, operations, events }: Definition): Offers {
  const titles = Object.entries({ operations, events }).flatMap(([list, parts]) =>
    parts.flatMap(({ parameters }, index) => {
      const text = parameters?.title
      const field = `${list}[${index}].parameters.title`
      return typeof text === 'string' ? [{ field, text }] : []
    }),
  )
  return {
    alias: { field: 'default_script_key', text: default_script_key },
    titles,
    events: events.map(({ name, default_script }) => ({
      name,
      ...(default_script !== undefined && { defaultScript: default_script }),
    })),
  }
}

/** An operation is an event of the exposed solution: its script handles it. */
function toEvent({
  name,
  script,
  parameters,
}: ReturnType<typeof getDefinition>['operations'][number]): ServiceEvent {
  return { name, title: payloadTitle(parameters), ...(script !== undefined && { script }) }
}

/** The shape of any solution's id; a connector's id and a service's name do not match. */
const solutionId = /^[a-zA-Z0-9]+$/

/** Finds the operations, which only an exposed solution may call. */
function makeOperations({
  scripts,
  exposedServices,
  subscribers,
}: InterfaceServiceOptions): Implementation<ServiceCall, typeof interfaceOperations.schemas> {
  async function requireExposed(call: ServiceCall): Promise<Exposed> {
    if (!solutionId.test(call.solutionId)) throw refusals.notASolution()
    const exposed = await exposedServices.get(call.solutionId)
    if (exposed === undefined) throw refusals.notExposed()
    return exposed
  }

  return {
    async getSubscriber(call, { subscriber_id: id }) {
      return toShown(await subscribers.get(await requireExposed(call), id))
    },
    async listSubscribers(call, query) {
      const { items, total } = await subscribers.list(await requireExposed(call), query)
      return { items: items.map(toShown), total }
    },
    async setSubscriber(call, change) {
      await subscribers.set(await requireExposed(call), change)
      return undefined
    },
    trigger: async (call, args) => trigger(scripts, await requireExposed(call), call, args),
    triggerOne: async (call, args) =>
      triggerOne({ scripts, subscribers }, await requireExposed(call), call, args),
  }
}

type Shown = StaticResult<typeof interfaceOperations.schemas.getSubscriber.result>

function toShown({ subscription }: Subscriber): Shown {
  return subscription as Shown
}
