import { isObject } from '../protocol/reading.ts'
import { type Answer, faultOfSuccess } from './caller.ts'
import type { Check } from './check-module.ts'

/** The path of each operation of the protocol. */
export type Paths = {
  readonly info: string
  readonly insights: string
  readonly process: string
  readonly insight: string | undefined
  readonly lifecycle: string | undefined
}

const usualPaths: Paths = {
  info: '/info',
  insights: '/insights',
  process: '/process',
  insight: '/insight/{function_id}',
  lifecycle: '/lifecycle',
}

/** Checks the definition's rules; where there is none to read, the usual paths are assumed. */
export function checkDefinition(answer: Answer): { checks: Check[]; paths: Paths } {
  const fault = faultOfSuccess(answer)
  if (fault !== undefined || !isObject(answer.json)) {
    const reason = fault ?? 'the definition is not an object'
    return {
      checks: [{ name: 'GET /interface answers the definition', ok: false, reason }],
      paths: usualPaths,
    }
  }
  const definition = answer.json
  const operations = operationsOf(definition.paths)
  const required = ['info', 'insights', 'process'] as const
  const missing = required.filter((id) => !operations.has(id))
  return {
    checks: [
      { name: 'GET /interface answers the definition', ok: true },
      check('the definition is OpenAPI 2.0', definition.swagger === '2.0', 'swagger is not "2.0"'),
      check(
        'tags contains insight with a description',
        Array.isArray(definition.tags) && definition.tags.some(isInsightTag),
        'no tag {name: "insight", description}',
      ),
      onlyCheck('schemes', definition.schemes, 'https'),
      onlyCheck('consumes', definition.consumes, 'application/json'),
      onlyCheck('produces', definition.produces, 'application/json'),
      check('host is set', typeof definition.host === 'string', 'host is missing'),
      check(
        'the operations info, insights and process are there',
        missing.length === 0,
        `no operation ${missing.join(', ')}`,
      ),
    ],
    paths: {
      info: operations.get('info') ?? usualPaths.info,
      insights: operations.get('insights') ?? usualPaths.insights,
      process: operations.get('process') ?? usualPaths.process,
      insight: operations.get('insight'),
      lifecycle: operations.get('lifecycle'),
    },
  }
}

export function check(name: string, ok: boolean, reason: string): Check {
  return ok ? { name, ok } : { name, ok, reason }
}

function onlyCheck(field: string, given: unknown, only: string): Check {
  const ok = Array.isArray(given) && given.length === 1 && given[0] === only
  return check(`${field} is ${only} only`, ok, `${field} is ${JSON.stringify(given)}`)
}

function isInsightTag(tag: unknown): boolean {
  return isObject(tag) && tag.name === 'insight' && Boolean(tag.description)
}

/** Path by operation; if the operationId is another, by the path's own name. */
function operationsOf(paths: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, methods] of isObject(paths) ? Object.entries(paths) : []) {
    for (const operation of isObject(methods) ? Object.values(methods) : []) {
      const id = isObject(operation) ? operation.operationId : undefined
      const named = typeof id === 'string' ? (id === 'listInsights' ? 'insights' : id) : ''
      found.set(named in usualPaths ? named : (path.split('/')[1] ?? ''), path)
    }
  }
  return found
}
