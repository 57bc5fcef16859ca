import { isObject } from '../protocol/reading.ts'

/** The path of each operation of the protocol; undefined if the module does not have it. */
export type Paths = {
  readonly info: string
  readonly insights: string
  readonly process: string
  readonly insight: string | undefined
  readonly lifecycle: string | undefined
}

const usualPaths = {
  info: '/info',
  insights: '/insights',
  process: '/process',
  insight: '/insight/{function_id}',
  lifecycle: '/lifecycle',
}
const aliases: { readonly [operationId: string]: string } = {
  listInsights: 'insights',
  infoInsight: 'insight',
}

/** The paths of a definition; without one those of the specification. */
export function readPaths(definition: unknown): Paths {
  if (!isObject(definition)) return usualPaths
  const operations = readOperations(definition.paths)
  return {
    info: operations.get('info') ?? usualPaths.info,
    insights: operations.get('insights') ?? usualPaths.insights,
    process: operations.get('process') ?? usualPaths.process,
    insight: operations.get('insight'),
    lifecycle: operations.get('lifecycle'),
  }
}

/** The path by operation; if the operationId is another, by the first part of the path. */
export function readOperations(paths: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [path, methods] of isObject(paths) ? Object.entries(paths) : []) {
    for (const operation of isObject(methods) ? Object.values(methods) : []) {
      const id = isObject(operation) ? operation.operationId : undefined
      const named = typeof id === 'string' ? (aliases[id] ?? id) : ''
      found.set(named in usualPaths ? named : (path.split('/')[1] ?? ''), path)
    }
  }
  return found
}

/** The path of one function. */
export function functionPath(template: string, functionId: string): string {
  return template.replace(/\{[^}]*\}/, () => encodeURIComponent(functionId))
}
