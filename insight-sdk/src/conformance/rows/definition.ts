import { isObject, type JsonObject, quote } from '../../protocol/reading.ts'
import type { Evidence } from '../evidence.ts'
import { readOperations } from '../paths.ts'
import { type Found, fieldRows, isBoolean, isString, type Row } from './row.ts'

const table = 'Definition'

/** The definition, or nothing if none could be read. */
function readDefinition({ definition }: Evidence): JsonObject[] {
  return isObject(definition.json) ? [definition.json] : []
}

function row(
  key: string,
  rule: string,
  fault: (definition: JsonObject, evidence: Evidence) => string | undefined,
): Row {
  const look = (evidence: Evidence) => readDefinition(evidence).map((it) => fault(it, evidence))
  return { name: `${table}.${key}`, rule, look }
}

function only(key: string, item: string): Row {
  return row(key, `${item} only`, ({ [key]: given }) => {
    const isOnly = Array.isArray(given) && given.length === 1 && given[0] === item
    return isOnly ? undefined : `${key} is ${quote(given)}, not ["${item}"]`
  })
}

function isInsightTag(tag: unknown): boolean {
  return isObject(tag) && tag.name === 'insight' && Boolean(tag.description)
}

const required = ['info', 'insights', 'process'] as const

/** The rules of the OpenAPI definition. */
const rules: readonly Row[] = [
  row('swagger', 'OpenAPI 2.0', ({ swagger }) =>
    swagger === '2.0' ? undefined : `swagger is ${quote(swagger)}, not "2.0"`,
  ),
  row('info.version', 'the definition carries its version', ({ info }) =>
    isObject(info) && isString(info.version, info) === undefined
      ? undefined
      : 'info.version is no string',
  ),
  row('tags', 'an entry named insight with a description', ({ tags }) =>
    Array.isArray(tags) && tags.some(isInsightTag)
      ? undefined
      : 'tags has no {name: "insight", description}',
  ),
  only('schemes', 'https'),
  only('consumes', 'application/json'),
  only('produces', 'application/json'),
  row('host', 'where the module is served', ({ host }) =>
    typeof host === 'string' && /^[^/\s]+$/.test(host)
      ? undefined
      : `host is ${quote(host)}, not a host name`,
  ),
  row('basePath', 'where the module is served', ({ basePath = '/' }) =>
    typeof basePath === 'string' && /^\/\S*$/.test(basePath)
      ? undefined
      : `basePath is ${quote(basePath)}, not a path from /`,
  ),
  row('paths', 'the operations info, insights and process', ({ paths }) => {
    const operations = readOperations(paths)
    const missing = required.filter((id) => !operations.has(id))
    return missing.length === 0 ? undefined : `no operation ${missing.join(', ')}`
  }),
]

const parametersKey = /^x-[a-z0-9]+-config-parameters$/

function readParameters(evidence: Evidence): unknown[] {
  return readDefinition(evidence).flatMap(({ info }) =>
    Object.entries(isObject(info) ? info : {}).flatMap(([key, list]) =>
      parametersKey.test(key) ? [list] : [],
    ),
  )
}

function parameterObjects(evidence: Evidence): Found[] {
  const items: unknown[] = readParameters(evidence).flat()
  return items
    .filter(isObject)
    .map((item, index) => [`parameter ${quote(item.name ?? index)}`, item])
}

const parameters: readonly Row[] = [
  {
    name: 'info.x-vendor-config-parameters',
    rule: 'a list of parameters; optional',
    look: (evidence) =>
      readParameters(evidence).map((list) =>
        Array.isArray(list) && list.every(isObject) ? undefined : 'it is no list of objects',
      ),
  },
  ...fieldRows(parameterObjects, [
    { name: 'ConfigParameter.name', rule: 'string', required: true, is: isString },
    { name: 'ConfigParameter.description', rule: 'string', is: isString },
    { name: 'ConfigParameter.type', rule: 'string', is: isString },
    { name: 'ConfigParameter.format', rule: 'string, for example password', is: isString },
    { name: 'ConfigParameter.required', rule: 'boolean', is: isBoolean },
  ]),
]

export const definitionRows: readonly Row[] = [...rules, ...parameters]
