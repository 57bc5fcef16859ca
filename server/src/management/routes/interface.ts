import { requireWhole } from '../../groups/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import type { Interface } from '../../services/interface/index.ts'
import {
  checkDefinition,
  getDefinition,
  getInterfaceClient,
  listServices,
} from '../contract/definition.ts'
import {
  callOperation,
  getSubscriber,
  listSubscribers,
  updateSubscriber,
} from '../contract/interface.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { solutionOf } from './solutions.ts'

/** The services that solutions expose: definitions, clients, subscribers, calls. */
export function interfaceRoutes(
  scripting: Pick<Scripting, 'solutions'>,
  { clients, definitions, externalCalls, subscribers }: InterfaceParts,
): Route[] {
  return [
    ...definitionRoutes(scripting, definitions),
    clientRoute(clients),
    ...subscriberRoutes(subscribers),
    callRoute(externalCalls),
  ]
}

export type InterfaceParts = Pick<
  Interface,
  'clients' | 'definitions' | 'externalCalls' | 'subscribers'
>

function definitionRoutes(
  { solutions }: Pick<Scripting, 'solutions'>,
  definitions: Interface['definitions'],
): Route[] {
  return [
    route(listServices, async ({ principal, query }) => {
      const { limit = limits.servicesPageDefault, offset = 0, text, tag } = query
      return ok(await definitions.list(principal.businessId, { text, tag, offset, limit }))
    }),
    route(getDefinition, async (call) => ok(await definitions.get(...solutionOf(call)))),
    route(checkDefinition, async (call) => {
      await solutions.get(...solutionOf(call))
      return ok({ changes: await definitions.check(...solutionOf(call), call.body) })
    }),
  ]
}

function clientRoute(clients: Interface['clients']): Route {
  return route(getInterfaceClient, async (call) => {
    const { language, key } = call.query
    const where = solutionOf(call)
    if (language === 'lua') return ok({ text: await clients.lua(...where, key) })
    if (key === undefined) return ok({ text: await clients.typescript(...where) })
    throw new Fault('invalid_argument', 'key is for the language lua')
  })
}

/** Routes for the subscribers of an exposed solution and their quotas. */
function subscriberRoutes(subscribers: Interface['subscribers']): Route[] {
  return [
    route(listSubscribers, async (call) =>
      ok(await subscribers.list(...solutionOf(call), call.query)),
    ),
    route(getSubscriber, async (call) =>
      ok(await subscribers.get(...solutionOf(call), call.params.subscriber)),
    ),
    route(updateSubscriber, async (call) =>
      ok(await subscribers.set(...solutionOf(call), call.params.subscriber, call.body)),
    ),
  ]
}

/** The operations of exposed solutions, for programs. Errors are the objects that scripts get. */
function callRoute(externalCalls: Interface['externalCalls']): Route {
  return route(callOperation, async ({ principal, params, query, body }) => {
    // Scripts act for the whole business, and connectors' operations on all of its devices.
    requireWhole(principal.view, 'A call of an operation')
    const { status, value } = await externalCalls.call({
      businessId: principal.businessId,
      solution: params.solution,
      operation: params.operation,
      args: body,
      subscriber: query.subscriber,
    })
    return value === undefined ? noContent() : { status, json: JSON.stringify(value) }
  })
}
