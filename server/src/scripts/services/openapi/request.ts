import { Fault, type Fields, isJsonObject } from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import type { CloudDefinition, CloudOperation, CloudParameter, FilledFrom } from './definition.ts'
import { filledServer } from './server.ts'

/** A request to a described service, as arguments of `http.request`. */
export type CloudRequest = {
  readonly url: URL
  readonly method: string
  readonly headers: Map<string, string>
  /** Bytes or text as they are; JSON has been written. */
  readonly body: string | Uint8Array | undefined
}

export type ComposeInput = {
  readonly definition: CloudDefinition
  readonly operation: CloudOperation
  readonly args: ScriptValue
  readonly variables: Readonly<Record<string, string>>
  /** The facts about the call. */
  readonly known: Readonly<Record<FilledFrom, string>>
  /** Settings that the document declares. */
  readonly values: Fields
  /** The URL to which the service sends an event. */
  readonly callbackUrl: (event: string) => string
  /** Gets the name of an argument without a place. */
  readonly unknown: (name: string) => void
}

/** Puts the arguments of a call where the operation has them. @throws Fault invalid_argument */
export function composeCall(input: ComposeInput): CloudRequest {
  const { definition, operation, variables } = input
  const { args: given = {} } = input
  if (!isJsonObject(given) && !(Array.isArray(given) && given.length === 0)) {
    throw invalid('the arguments must be an object')
  }
  if (definition.server === undefined) throw invalid('the service has no base_url')
  const args = new Map<string, unknown>(Object.entries(given))
  fill(input, args)
  const base = filledServer(definition.server, args, variables)
  const path = operation.path.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) =>
    pathPart(name, args.get(name)),
  )
  const url = URL.parse(base + path)
  if (url === null) throw invalid('the URL cannot be read')
  const headers = new Map<string, string>()
  for (const parameter of operation.parameters) {
    const value = args.get(parameter.name)
    if (value === undefined && parameter.required) throw missing(parameter.name)
    if (value === undefined || parameter.in === 'path') continue
    if (parameter.in === 'header')
      headers.set(parameter.name.toLowerCase(), plain(parameter.name, value))
    else addQuery(url, parameter, value)
  }
  addCallbacks(input, url, args)
  return { url, method: operation.method, headers, body: makeBody(input, args, headers) }
}

/**
 * Sets the arguments that the platform fills, and those that are settings: a script gives none of
 * the former, and none of the restricted ones.
 */
function fill(
  { definition, operation, known, values }: ComposeInput,
  args: Map<string, unknown>,
): void {
  const { parameters, body } = operation
  for (const { name, from } of parameters) if (from !== undefined) args.set(name, known[from])
  const places = new Set([...parameters.map(({ name }) => name), ...(body?.fields ?? [])])
  for (const [name, { restricted }] of definition.settings) {
    if (!places.has(name)) continue
    if (restricted && args.has(name)) throw invalid(`${name} is a setting of the service`)
    if (!args.has(name) && Object.hasOwn(values, name)) args.set(name, values[name])
  }
}

/** A part of a path stays one: it cannot lead up, or begin another. */
function pathPart(name: string, value: unknown): string {
  if (value === undefined) throw missing(name)
  const text = plain(name, value)
  if (text === '' || /^\.{1,2}$/.test(text)) throw invalid(`${name} must be a part of a path`)
  return encodeURIComponent(text)
}

function addQuery(url: URL, { name, several }: CloudParameter, value: unknown): void {
  if (!Array.isArray(value)) {
    url.searchParams.append(name, plain(name, value))
    return
  }
  const texts = value.map((one) => plain(name, one))
  if (several) for (const text of texts) url.searchParams.append(name, text)
  else url.searchParams.append(name, texts.join(','))
}

function addCallbacks(
  { operation, callbackUrl }: ComposeInput,
  url: URL,
  args: Map<string, unknown>,
) {
  for (const { event, in: place, name } of operation.callbacks) {
    if (args.has(name)) continue
    const body = operation.body === undefined ? undefined : args.get(operation.body.name)
    if (place === 'query') url.searchParams.set(name, callbackUrl(event))
    else if (isJsonObject(body)) {
      if (body[name] !== undefined || operation.body === undefined) continue
      args.set(operation.body.name, { ...body, [name]: callbackUrl(event) })
    } else if (body === undefined) args.set(name, callbackUrl(event))
  }
}

/** The body's argument, or the arguments that have no other place, as its fields. */
function makeBody(
  { definition, operation, unknown }: ComposeInput,
  args: ReadonlyMap<string, unknown>,
  headers: Map<string, string>,
): CloudRequest['body'] {
  const { body, parameters } = operation
  const placed = new Set([
    ...parameters.map(({ name }) => name),
    ...(definition.server?.variables.keys() ?? []),
  ])
  const others = [...args].filter(([name]) => !placed.has(name) && name !== body?.name)
  const whole = body === undefined ? undefined : args.get(body.name)
  const areFields = body !== undefined && body.type !== 'raw' && whole === undefined
  if (!areFields) for (const [name] of others) unknown(name)
  const value = whole ?? (areFields && others.length > 0 ? Object.fromEntries(others) : undefined)
  if (value === undefined) {
    if (body?.required) throw missing(body.name)
    return undefined
  }
  if (body === undefined) return undefined
  headers.set('content-type', body.contentType)
  if (body.type === 'json') return JSON.stringify(value)
  if (body.type === 'form' && isJsonObject(value)) {
    const pairs = Object.entries(value).map(
      ([name, one]) => [name, plain(name, one)] as [string, string],
    )
    return String(new URLSearchParams(pairs))
  }
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  throw invalid(`${body.name} must be a text`)
}

function plain(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value)
  }
  if (isJsonObject(value)) return JSON.stringify(value)
  throw invalid(`${name} must be a text, a number or a boolean`)
}

function missing(name: string): Fault {
  return invalid(`the argument ${name} is missing`)
}

function invalid(sentence: string): Fault {
  return new Fault('invalid_argument', sentence)
}
