import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '../../kernel/index.ts'
import type { ModuleEndpoint, ModuleEndpoints, ModuleOperation } from '../types.ts'
import { outlineYaml } from './outline.ts'

const defaults = {
  info: { method: 'GET', path: '/info' },
  insights: { method: 'POST', path: '/insights' },
  insight: { method: 'GET', path: '/insight/{function_id}' },
  lifecycle: { method: 'POST', path: '/lifecycle' },
  process: { method: 'POST', path: '/process' },
} as const satisfies Record<ModuleOperation, { method: ModuleEndpoint['method']; path: string }>

const operationIds: Readonly<Record<ModuleOperation, readonly string[]>> = {
  info: ['info'],
  insights: ['listInsights', 'insights'],
  insight: ['insight'],
  lifecycle: ['lifecycle'],
  process: ['process'],
}

const methods = ['GET', 'POST', 'PUT'] as const

type Found = {
  readonly method: ModuleEndpoint['method']
  readonly path: string
  readonly id: string
}

/**
 * Returns the endpoints of a module. With its OpenAPI 2.0 file (JSON or YAML) they are found by
 * operation id, else by the path's last segment; the file's host is not used, because the operator
 * named one. Without a file, and for what every module has, the paths of the spec. Pure.
 *
 * @param base the module's URL as the operator gave it
 * @param file the answer of `GET {base}/interface`; undefined where there was none
 * @param solutionId what stands for `{solution_id}` in a path
 */
export function endpointsOf(
  base: string,
  file: string | undefined,
  solutionId: string,
): ModuleEndpoints {
  const openapi = file === undefined ? undefined : parseOpenapi(file)
  const found = openapi === undefined ? [] : operationsOf(openapi)
  const root = joinBase(base, openapi?.basePath)
  const at = (name: ModuleOperation, certain: boolean): ModuleEndpoint | undefined => {
    const chosen = choose(found, name) ?? (certain ? defaults[name] : undefined)
    if (chosen === undefined) return undefined
    const path = chosen.path.replaceAll('{solution_id}', encodeURIComponent(solutionId))
    return { method: chosen.method, url: `${root}${path}` }
  }
  const sure = (name: 'info' | 'insights' | 'process'): ModuleEndpoint =>
    at(name, true) ?? { method: defaults[name].method, url: `${root}${defaults[name].path}` }
  const insight = at('insight', openapi === undefined)
  const lifecycle = at('lifecycle', openapi === undefined)
  return {
    info: sure('info'),
    insights: sure('insights'),
    process: sure('process'),
    ...(insight === undefined ? {} : { insight }),
    ...(lifecycle === undefined ? {} : { lifecycle }),
  }
}

/** The file as an object, where it is one that has paths. */
function parseOpenapi(text: string): JsonObject | undefined {
  const object = parseJsonObject(text) ?? (outlineYaml(text) as JsonObject)
  return isJsonObject(object.paths) ? object : undefined
}

function operationsOf(openapi: JsonObject): Found[] {
  return fieldsOf(openapi.paths).flatMap(([path, item]) =>
    fieldsOf(item).flatMap(([name, operation]) => {
      const method = methods.find((known) => known.toLowerCase() === name)
      if (method === undefined || !path.startsWith('/')) return []
      const id = isJsonObject(operation) ? operation.operationId : undefined
      return [{ method, path, id: typeof id === 'string' ? id : '' }]
    }),
  )
}

function fieldsOf(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : []
}

function choose(found: readonly Found[], name: ModuleOperation): Found | undefined {
  const ids = operationIds[name]
  const byId = found.find((one) => ids.includes(one.id))
  return byId ?? found.find((one) => lastSegment(one.path) === name && !taken(one.id, name))
}

/** Returns true if the id is one of another operation. */
function taken(id: string, name: ModuleOperation): boolean {
  return Object.entries(operationIds).some(([other, ids]) => other !== name && ids.includes(id))
}

function lastSegment(path: string): string | undefined {
  return segmentsOf(path)
    .filter((segment) => !segment.startsWith('{'))
    .at(-1)
}

/** The base with the file's `basePath`, unless it ends with that already; no slash at the end. */
function joinBase(base: string, basePath: Json | undefined): string {
  const url = new URL(base)
  const root = [url.origin, ...segmentsOf(url.pathname)].join('/')
  const added = typeof basePath === 'string' ? segmentsOf(basePath).join('/') : ''
  return added === '' || root.endsWith(`/${added}`) ? root : `${root}/${added}`
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
