import { answeredMethods } from '../../../foundation/kernel/index.ts'
import type { Endpoint } from '../../scripting/index.ts'

/** The endpoint for a request, with the names in its path. */
export type EndpointRoute = {
  readonly endpoint: Endpoint
  readonly parameters: Readonly<Record<string, string>>
}

/** `allow`: the methods of the path. */
export type EndpointMatch =
  | { readonly kind: 'route'; readonly route: EndpointRoute; readonly allow: readonly string[] }
  | { readonly kind: 'other_method'; readonly allow: readonly string[] }
  | { readonly kind: 'nothing' }

export type EndpointRoutes = { find(method: string, parts: readonly string[]): EndpointMatch }

/** The endpoints that end at a node, by method, with the names of their parameters. */
type Leaf = Map<string, { readonly endpoint: Endpoint; readonly names: readonly string[] }>
type Node = { readonly plain: Map<string, Node>; named?: Node; readonly leaf: Leaf; rest?: Leaf }
type Candidate = { readonly leaf: Leaf; readonly values: readonly string[] }

/**
 * Builds a tree of path segments. A literal segment goes before a parameter, and a parameter before
 * the rest of a path; if the first endpoint lacks the method, the next one answers. A lookup visits
 * each node once.
 */
export function createRoutes(endpoints: readonly Endpoint[]): EndpointRoutes {
  const root = newNode()
  for (const endpoint of endpoints) add(root, endpoint)
  return {
    find(method, parts) {
      const allow = new Set<string>()
      let route: EndpointRoute | undefined
      for (const { leaf, values } of candidates(root, parts, 0, [])) {
        route ??= matchRoute(leaf, method, values)
        for (const one of leaf.keys()) allow.add(one)
      }
      if (allow.size === 0) return { kind: 'nothing' }
      const methods = withOwn(allow)
      if (route === undefined) return { kind: 'other_method', allow: methods }
      return { kind: 'route', route, allow: methods }
    },
  }
}

function newNode(): Node {
  return { plain: new Map(), leaf: new Map() }
}

function add(root: Node, endpoint: Endpoint): void {
  const names: string[] = []
  let node = root
  for (const part of endpoint.path.slice(1).split('/')) {
    const [, name, star] = /^\{(\w+)(\*?)\}$/.exec(part) ?? []
    if (name !== undefined) names.push(name)
    if (star === '*') {
      node.rest ??= new Map()
      addTo(node.rest, endpoint, names)
      return
    }
    node = name === undefined ? plainNode(node, decoded(part) ?? part) : namedNode(node)
  }
  addTo(node.leaf, endpoint, names)
}

/** If two endpoints differ in parameter names only, the first one counts. */
function addTo(leaf: Leaf, endpoint: Endpoint, names: readonly string[]): void {
  if (!leaf.has(endpoint.method)) leaf.set(endpoint.method, { endpoint, names })
}

function plainNode(node: Node, part: string): Node {
  const next = node.plain.get(part) ?? newNode()
  node.plain.set(part, next)
  return next
}

function namedNode(node: Node): Node {
  node.named ??= newNode()
  return node.named
}

function* candidates(
  node: Node,
  parts: readonly string[],
  at: number,
  values: readonly string[],
): Generator<Candidate> {
  const part = parts[at]
  if (part === undefined) {
    if (node.leaf.size > 0) yield { leaf: node.leaf, values }
    return
  }
  const plain = node.plain.get(part)
  if (plain !== undefined) yield* candidates(plain, parts, at + 1, values)
  if (node.named !== undefined && part !== '') {
    yield* candidates(node.named, parts, at + 1, [...values, part])
  }
  if (node.rest !== undefined) {
    yield { leaf: node.rest, values: [...values, parts.slice(at).join('/')] }
  }
}

function matchRoute(
  leaf: Leaf,
  method: string,
  values: readonly string[],
): EndpointRoute | undefined {
  const found = leaf.get(method) ?? (method === 'HEAD' ? leaf.get('GET') : undefined)
  if (found === undefined) return undefined
  const { endpoint, names } = found
  const pairs = names.map((name, index) => [name, values[index] ?? ''] as const)
  return { endpoint, parameters: Object.fromEntries(pairs) }
}

function withOwn(methods: ReadonlySet<string>): string[] {
  return answeredMethods([...methods, 'OPTIONS']).sort()
}

/** The segments of a request's path; undefined if one of them cannot be decoded. */
export function splitPath(path: string): string[] | undefined {
  const parts = path.slice(1).split('/').map(decoded)
  return parts.every((part) => part !== undefined) ? parts : undefined
}

function decoded(part: string): string | undefined {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
