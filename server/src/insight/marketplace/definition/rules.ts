import {
  type DocumentProblem,
  type Json,
  type JsonObject,
  toPointer,
} from '../../../foundation/kernel/index.ts'
import type { Operations } from '../types.ts'
import type { PathField } from './operations.ts'
import { getField, getItems, shown } from './pointers.ts'

/**
 * The rules of the definition of an insight module, each a row of the specification's table. All
 * of them are checked: an author corrects a file once.
 */
export function definitionProblems(
  document: JsonObject,
  listed: readonly PathField[],
  operations: Partial<Operations>,
  prefixes: readonly string[],
): DocumentProblem[] {
  return [
    ...versionProblems(document),
    ...tagProblems(document.tags),
    ...ownRules.flatMap(([field, only]) => onlyProblems(document, field, only, [])),
    ...listed.flatMap(ownProblems),
    ...missingOperations(document, operations, prefixes),
  ]
}

/** The rules of the fields that a base URL beside the file stands for. */
export function placeProblems({ host, basePath }: JsonObject): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  if (typeof host !== 'string' || !isHost(host)) {
    problems.push({ pointer: '/host', detail: `it is ${shown(host)}, not a host name` })
  }
  if (basePath !== undefined && (typeof basePath !== 'string' || !/^\/[^\s?#]*$/.test(basePath))) {
    problems.push({ pointer: '/basePath', detail: `it is ${shown(basePath)}, not a path from /` })
  }
  return problems
}

function isHost(host: string): boolean {
  const url = /^[^\s/?#@\\]+$/.test(host) ? URL.parse(`https://${host}/`) : null
  return url !== null && url.pathname === '/' && /^[a-z0-9.:[\]-]+$/i.test(host)
}

/** The one value of a field of the file, and of an operation that has such a field of its own. */
const ownRules = [
  ['schemes', 'https'],
  ['consumes', 'application/json'],
  ['produces', 'application/json'],
] as const

function versionProblems({ swagger, info }: JsonObject): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  if (swagger !== '2.0') {
    const quotes = swagger === 2 ? ': put it in quotes' : ''
    const detail = `it is ${shown(swagger)}, not "2.0"${quotes}`
    problems.push({ pointer: '/swagger', detail })
  }
  const version = getField(info, 'version')
  if (typeof version !== 'string' || version === '') {
    problems.push({ pointer: '/info/version', detail: `it is ${shown(version)}, not a text` })
  }
  return problems
}

function tagProblems(tags: Json | undefined): DocumentProblem[] {
  const at = getItems(tags).findIndex((tag) => getField(tag, 'name') === 'insight')
  if (at === -1) return [{ pointer: '/tags', detail: 'there is no entry named insight' }]
  const description = getField(getItems(tags)[at], 'description')
  if (typeof description === 'string' && description.trim() !== '') return []
  const detail = `it is ${shown(description)}, not a text`
  return [{ pointer: toPointer('tags', at, 'description'), detail }]
}

function onlyProblems(
  object: Json,
  field: string,
  only: string,
  at: readonly string[],
): DocumentProblem[] {
  const value = getField(object, field)
  if (Array.isArray(value) && value.length === 1 && value[0] === only) return []
  const detail = `it is ${shown(value)}, not ["${only}"]`
  return [{ pointer: toPointer(...at, field), detail }]
}

/** Statements of an operation go before those of the file. */
function ownProblems({ path, name, operation }: PathField): DocumentProblem[] {
  const given = ownRules.filter(([field]) => getField(operation, field) !== undefined)
  return given.flatMap(([field, only]) => {
    return onlyProblems(operation, field, only, ['paths', path, name])
  })
}

function missingOperations(
  document: JsonObject,
  operations: Partial<Operations>,
  prefixes: readonly string[],
): DocumentProblem[] {
  const required = (['info', 'insights', 'process'] as const).filter((name) => !operations[name])
  const missing = required.map((name) => {
    return { pointer: '/paths', detail: `there is no operation ${name}` }
  })
  const named = prefixes.flatMap((prefix) =>
    (['init', 'gc'] as const).flatMap((name) => {
      const id = getField(document, `${prefix}${name}`)
      if (id === undefined || operations[name] !== undefined) return []
      const detail = `there is no operation of the id ${shown(id)}`
      return [{ pointer: toPointer(`${prefix}${name}`), detail }]
    }),
  )
  return [...missing, ...named]
}
