import type {
  ConfigurationChange,
  Offers,
  Operation,
  ScriptingApi,
  ScriptValue,
  Service,
  ServiceCall,
  ServiceEvent,
} from '../../scripting/index.ts'
import {
  parseGetSubscriber,
  parseListSubscribers,
  parseSetSubscriber,
  parseTrigger,
  parseTriggerOne,
} from './arguments.ts'
import { trigger, triggerOne } from './calls/trigger.ts'
import { refuseBreaking } from './definition/breaking.ts'
import type { Definition } from './definition/definition.ts'
import { definitionIn, ownEvents, parseDefinition } from './definition/parse-definition.ts'
import { refusals } from './errors.ts'
import { definitionOf, type Exposed, titleOf } from './exposed/exposed.ts'
import { type ExposedServices, serviceName } from './exposed/exposed-services.ts'
import type { Quotas } from './quotas/quotas.ts'
import { deleteQuotas } from './store.ts'
import type { Subscribers } from './subscribers/subscribers.ts'

export type InterfaceServiceOptions = {
  readonly scripts: ScriptingApi
  readonly exposedServices: ExposedServices
  readonly subscribers: Subscribers
  readonly quotas: Pick<Quotas, 'forget'>
}

/** The service `interface`: exposes a solution to others, and sends them events. */
export function interfaceService(options: InterfaceServiceOptions): Service {
  const { exposedServices, quotas, scripts } = options
  const operations = operationsOf(options)
  return {
    name: serviceName,
    always: true,
    events: ownEvents.map((name) => ({ name })),
    eventsOf: (configuration) => definitionOf(configuration).operations.map(eventOf),
    operation: (name) => operations.get(name),
    async configure({ solutionId, before, body, allowBreaking }) {
      const definition = parseDefinition(solutionId, definitionIn(body))
      if (before !== undefined && allowBreaking !== true) {
        await refuseBreaking(scripts, before, definition)
      }
      return { alias: serviceName, parameters: definition, offers: offersOf(definition) }
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
function offersOf({ default_script_key, operations, events }: Definition): Offers {
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
function eventOf({
  name,
  script,
  parameters,
}: ReturnType<typeof definitionOf>['operations'][number]): ServiceEvent {
  return { name, title: titleOf(parameters), ...(script !== undefined && { script }) }
}

/** The shape of any solution's id; a connector's id and a service's name do not match. */
const solutionId = /^[a-zA-Z0-9]+$/

type Work = (exposed: Exposed, call: ServiceCall, args: ScriptValue) => Promise<unknown>

function operationsOf({ scripts, exposedServices, subscribers }: InterfaceServiceOptions) {
  /** Wraps an operation that only an exposed solution may call. */
  const exposing =
    (work: Work): Operation =>
    async (call, args) => {
      if (!solutionId.test(call.solutionId)) throw refusals.notASolution()
      const exposed = await exposedServices.get(call.solutionId)
      if (exposed === undefined) throw refusals.notExposed()
      return (await work(exposed, call, args)) as ScriptValue
    }
  const list: readonly (readonly [string, Work])[] = [
    [
      'getSubscriber',
      async (exposed, _, args) =>
        (await subscribers.get(exposed, parseGetSubscriber(args))).subscription,
    ],
    [
      'listSubscribers',
      async (exposed, _, args) => {
        const { items, total } = await subscribers.list(exposed, parseListSubscribers(args))
        return { items: items.map(({ subscription }) => subscription), total }
      },
    ],
    ['setSubscriber', (exposed, _, args) => subscribers.set(exposed, parseSetSubscriber(args))],
    ['trigger', (exposed, call, args) => trigger(scripts, exposed, call, parseTrigger(args))],
    [
      'triggerOne',
      (exposed, call, args) =>
        triggerOne({ scripts, subscribers }, exposed, call, parseTriggerOne(args)),
    ],
  ]
  return new Map(list.map(([name, work]) => [name, exposing(work)]))
}
