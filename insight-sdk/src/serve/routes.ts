import { ModuleError } from '../errors.ts'
import { parseBody } from './body.ts'
import {
  describeInsight,
  listInsights,
  noteLifecycle,
  processSignals,
  type Serving,
} from './operations.ts'

type WithBody = { readonly text: (bytesMax: number) => Promise<string> }

type Route = {
  readonly method: 'GET' | 'POST'
  /** True: answers without credentials, since its answer describes those that are required. */
  readonly open?: boolean
  answer(request: WithBody): unknown
}

/** The context of every route: the module, and its served definition. */
export type Routing = Serving & { readonly definition: () => object; readonly basePath: string }

/** @throws ModuleError NotFound for a path that the module does not have */
export function routeFor(routing: Routing, path: string): Route {
  const below = belowBase(routing.basePath, path)
  const json = async (request: WithBody) =>
    parseBody(await request.text(routing.limits.bodyBytesMax))
  switch (below) {
    case '/interface':
      return { method: 'GET', open: true, answer: () => routing.definition() }
    case '/info':
      return { method: 'GET', answer: () => routing.module.info }
    case '/insights':
      return { method: 'POST', answer: async (it) => listInsights(routing, await json(it)) }
    case '/process':
      return { method: 'POST', answer: async (it) => processSignals(routing, await json(it)) }
    case '/lifecycle':
      return { method: 'POST', answer: async (it) => noteLifecycle(routing, await json(it)) }
    default:
      return insightRoute(routing, below)
  }
}

function insightRoute(routing: Routing, below: string): Route {
  const [, encoded] = /^\/insight\/([^/]+)$/.exec(below) ?? []
  if (encoded === undefined) throw new ModuleError('NotFound', 'There is nothing at this path.')
  const functionId = decode(encoded)
  return { method: 'GET', answer: () => describeInsight(routing, functionId) }
}

/** The definition answers at the host's root too, where the platform looks for it. */
function belowBase(basePath: string, path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
  if (trimmed === '/interface') return trimmed
  if (basePath === '/') return trimmed
  return trimmed.startsWith(`${basePath}/`) ? trimmed.slice(basePath.length) : ''
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new ModuleError('InvalidRequest', 'The path is not percent-encoded as it should be.')
  }
}
