import { type Fields, isJsonObject } from '../../kernel/index.ts'
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
import { refuseBreaking } from './breaking.ts'
import type { Definition } from './definition.ts'
import { refusals } from './errors.ts'
import { definitionOf, type Exposed, titleOf } from './exposed.ts'
import { type Exposures, serviceName } from './exposures.ts'
import { ownEvents, parseDefinition } from './parse-definition.ts'
import type { Quotas } from './quotas.ts'
import { deleteQuotas } from './store.ts'
import type { Subscribers } from './subscribers.ts'
import { trigger, triggerOne } from './trigger.ts'

export type InterfaceNeeds = {
  readonly scripts: ScriptingApi
  readonly exposures: Exposures
  readonly subscribers: Subscribers
  readonly quotas: Pick<Quotas, 'forget'>
}

/** The service `interface`: with it a solution shows itself to others, and tells them things. */
export function interfaceService(needs: InterfaceNeeds): Service {
  const { exposures, quotas, scripts } = needs
  const operations = operationsOf(needs)
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
      exposures.forget()
    },
    forget() {
      exposures.forget()
      quotas.forget()
    },
    removeIn: deleteQuotas,
  }
}

/** The definition is the body itself; what was read, with the definition within, is one as well. */
export function definitionIn(body: Fields): Fields {
  const { parameters, triggers: _, ...rest } = body
  const wasRead = isJsonObject(parameters) && Object.keys(rest).length === 0
  return wasRead ? parameters : body
}

/** What a subscriber has to be able to use. */
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

/** An operation is an event at the solution that is exposed: its script handles it. */
function eventOf({
  name,
  script,
  parameters,
}: ReturnType<typeof definitionOf>['operations'][number]): ServiceEvent {
  return { name, title: titleOf(parameters), ...(script !== undefined && { script }) }
}

/** What the id of any solution looks like: a connector's, a service's name, or none is no such. */
const solutionId = /^[a-zA-Z0-9]+$/

type Work = (exposed: Exposed, call: ServiceCall, args: ScriptValue) => Promise<unknown>

function operationsOf({ scripts, exposures, subscribers }: InterfaceNeeds) {
  /** What a solution may ask once it is exposed. */
  const exposing =
    (work: Work): Operation =>
    async (call, args) => {
      if (!solutionId.test(call.solutionId)) throw refusals.notASolution()
      const exposed = await exposures.get(call.solutionId)
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
