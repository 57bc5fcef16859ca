/**
 * The kinds of host that a request can name.
 * - instance: the domain, `localhost`, an address, a name of `MILLRACE_HTTP` or `MILLRACE_HOSTS`
 * - notification: `notify.<domain>`
 * - solution, connector: `<id>.<domain>`, as the registry of labels has it
 * - unused: any other name under the domain, the reserved labels among them
 * - foreign: a name that is not under the domain
 * - missing: no Host; over HTTP/1.0, where health checks leave it out, `missing_1_0`
 */
export const hostKinds = [
  'instance',
  'notification',
  'solution',
  'connector',
  'unused',
  'foreign',
  'missing',
  'missing_1_0',
] as const

/** The kinds of host that only the registry of labels can distinguish. */
const registeredKinds = ['solution', 'connector', 'unused'] as const

/** The kinds of path. A part of the instance decides which URLs are its own. */
export const pathKinds = ['device', 'notification', 'solution', 'graphql', 'other'] as const

export type RouteHost = (typeof hostKinds)[number]
export type PathKind = (typeof pathKinds)[number]
export type RegisteredKind = (typeof registeredKinds)[number]

/** The parts of the instance that answer, and two refusals. */
export type HandlerName =
  | 'deviceApi'
  | 'notifications'
  | 'solution'
  | 'sharedSolution'
  | 'graphql'
  | 'management'
  | 'refuseMissingHost'
  | 'refuseForeignHost'

/** A row answers each combination of its columns. */
export type RoutingRule = {
  /** A handshake of a websocket that has no route is answered as a request. */
  readonly kind: (typeof kinds)[number]
  readonly hosts: readonly RouteHost[]
  readonly paths: readonly PathKind[]
  readonly handler: HandlerName
}

/** The part of a request that selects its route. */
export type RouteKey = {
  readonly host: RouteHost
  readonly path: PathKind
}

const pathsButDevice = ['notification', 'solution', 'graphql', 'other'] as const

/** The routes, in any order: each request has one. */
export const routes: readonly RoutingRule[] = [
  {
    // Firmware may call a host that is built in, or none: its token identifies the connector.
    kind: 'request',
    hosts: hostKinds,
    paths: ['device'],
    handler: 'deviceApi',
  },
  {
    // Server code is often configured with a host of its own, and brings its credential itself.
    kind: 'request',
    hosts: ['instance', 'notification', 'foreign', 'missing_1_0'],
    paths: ['notification'],
    handler: 'notifications',
  },
  {
    kind: 'request',
    hosts: ['solution'],
    paths: pathsButDevice,
    handler: 'solution',
  },
  {
    kind: 'request',
    hosts: ['connector', 'unused'],
    paths: pathsButDevice,
    handler: 'deviceApi',
  },
  {
    kind: 'request',
    hosts: ['notification'],
    paths: ['solution', 'graphql', 'other'],
    handler: 'deviceApi',
  },
  {
    // Any browser names the host.
    kind: 'request',
    hosts: ['missing'],
    paths: pathsButDevice,
    handler: 'refuseMissingHost',
  },
  {
    // A page of another site can make a browser call the instance under a name of that site.
    kind: 'request',
    hosts: ['foreign'],
    paths: ['solution', 'graphql', 'other'],
    handler: 'refuseForeignHost',
  },
  {
    kind: 'request',
    hosts: ['instance', 'missing_1_0'],
    paths: ['solution'],
    handler: 'sharedSolution',
  },
  {
    kind: 'request',
    hosts: ['instance', 'missing_1_0'],
    paths: ['graphql'],
    handler: 'graphql',
  },
  {
    kind: 'request',
    hosts: ['instance', 'missing_1_0'],
    paths: ['other'],
    handler: 'management',
  },
  {
    // The solution is looked up when the handshake is answered; a host without one is a 404.
    kind: 'websocket',
    hosts: ['solution', 'connector', 'unused', 'notification'],
    paths: pathsButDevice,
    handler: 'solution',
  },
  {
    kind: 'websocket',
    hosts: ['instance'],
    paths: ['solution'],
    handler: 'sharedSolution',
  },
  {
    kind: 'websocket',
    hosts: ['instance'],
    paths: ['graphql'],
    handler: 'graphql',
  },
]

type ByHost = Partial<Record<RouteHost, HandlerName>>

/** Looks up routes; refuses a table that leaves a request without one, or with two. */
export class RouteTable {
  readonly #handlers = emptyTable<ByHost>(() => ({}))
  readonly #underDomain = emptyTable<HandlerName | undefined>(() => undefined)

  /** @throws Error that names the routes that contradict each other, or the request without one. */
  constructor(rows: readonly RoutingRule[] = routes) {
    for (const row of rows) this.#add(row)
    for (const key of listKeys(hostKinds, pathKinds)) {
      if (this.find('request', key) !== undefined) continue
      throw new Error(`no route answers a request: ${describeKey(key)}`)
    }
    for (const kind of kinds) {
      for (const { path } of listKeys(['connector'], pathKinds)) {
        const found = registeredKinds.map((host) => this.find(kind, { host, path }))
        const isSame = found.every((handler) => handler === found[0])
        this.#underDomain[kind][path] = isSame ? found[0] : undefined
      }
    }
  }

  find(kind: RoutingRule['kind'], { host, path }: RouteKey): HandlerName | undefined {
    return this.#handlers[kind][path][host]
  }

  /** The handler of a host under the domain, if it is the same whatever the registry has. */
  findUnderDomain(
    kind: RoutingRule['kind'],
    { path }: Omit<RouteKey, 'host'>,
  ): HandlerName | undefined {
    return this.#underDomain[kind][path]
  }

  #add({ kind, handler, ...columns }: RoutingRule): void {
    const keys = listKeys(columns.hosts, columns.paths)
    if (keys.length === 0) throw new Error(`a route to ${handler} answers nothing`)
    for (const key of keys) {
      const other = this.find(kind, key)
      if (other !== undefined) {
        throw new Error(
          `two routes, to ${other} and ${handler}, answer a ${kind}: ${describeKey(key)}`,
        )
      }
      this.#handlers[kind][key.path][key.host] = handler
    }
  }
}

const kinds = ['request', 'websocket'] as const

/** Indexed and not searched: each request is looked up. */
function emptyTable<Cell>(cell: () => Cell) {
  const paths = () => ({
    device: cell(),
    notification: cell(),
    solution: cell(),
    graphql: cell(),
    other: cell(),
  })
  return { request: paths(), websocket: paths() }
}

function listKeys(hosts: readonly RouteHost[], paths: readonly PathKind[]): RouteKey[] {
  return hosts.flatMap((host) => paths.map((path) => ({ host, path })))
}

function describeKey({ host, path }: RouteKey): string {
  return `host ${host}, path ${path}`
}
