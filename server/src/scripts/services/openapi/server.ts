import { Fault, invalidField } from '../../../foundation/kernel/index.ts'
import { type ApiDocument, field, fieldsIn, itemsIn } from './document.ts'

type Variable = { readonly fallback: string | undefined; readonly allowed: readonly string[] }

/** The address of a service: a URL with variables in braces. */
export type CloudServer = {
  readonly url: string
  readonly variables: ReadonlyMap<string, Variable>
}

const variablesIn = (url: string) => [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)

/**
 * Reads the first server of a document, or what takes its place. Undefined if the document names
 * none that can be called: then each call fails until there is a base URL.
 * @throws Fault invalid_argument for such a base URL
 */
export function readServer(
  document: ApiDocument,
  baseUrl: string | undefined,
): CloudServer | undefined {
  const [first] = itemsIn(document.fields.servers)
  const said = document.isSwagger ? swaggerUrl(document) : field(first, 'url')
  const url = (baseUrl ?? (typeof said === 'string' ? said : '')).replace(/\/+$/, '')
  const declared = fieldsIn(field(first, 'variables'))
  const variables = new Map<string, Variable>()
  for (const name of variablesIn(url)) {
    const [, variable] = declared.find(([one]) => one === name) ?? []
    const fallback = field(variable, 'default')
    variables.set(name, {
      fallback: typeof fallback === 'string' ? fallback : undefined,
      allowed: itemsIn(field(variable, 'enum')).map(String),
    })
  }
  const parsed = URL.parse(url.replaceAll(/\{[^{}]*\}/g, 'x'))
  const fits = parsed !== null && /^https?:$/.test(parsed.protocol) && /^https?:\/\//i.test(url)
  const isPlain = fits && parsed.search === '' && parsed.hash === '' && parsed.username === ''
  if (!isPlain || parsed.password !== '') {
    // A document may leave its host to the settings.
    if (url === '' || url.startsWith('/')) return undefined
    throw invalidField('base_url', 'must be a URL of http or https')
  }
  return { url, variables }
}

/**
 * Names the hosts to which requests go, with what fills the variables in their names. Secrets of a
 * configuration are for them alone.
 */
export function findDestination(
  server: CloudServer | undefined,
  settings: Readonly<Record<string, string>>,
): string {
  if (server === undefined) return ''
  const { url, variables } = server
  const [origin = ''] = /^[^/]*\/\/[^/]*/.exec(url) ?? []
  const values = variablesIn(origin).map((name) => [variables.get(name), settings[name]])
  return JSON.stringify([origin.toLowerCase(), values])
}

function swaggerUrl({ fields }: ApiDocument): string | undefined {
  const schemes = itemsIn(fields.schemes)
  const scheme = schemes.length === 0 || schemes.includes('https') ? 'https' : 'http'
  const { host, basePath = '' } = fields
  if (typeof host !== 'string' || typeof basePath !== 'string') return undefined
  return `${scheme}://${host}${basePath}`
}

/** A label of a host name, or a part of a path: a script cannot name another host by it. */
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const hostName = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::\d{1,5})?$/

/** True for a value that the settings may give to a variable. */
export function isVariableValue(value: unknown): value is string {
  return typeof value === 'string' && hostName.test(value)
}

/**
 * The URL with its variables filled: by the arguments of the call, else by the settings, else by
 * the document. @throws Fault invalid_argument
 */
export function filledServer(
  { url, variables }: CloudServer,
  args: ReadonlyMap<string, unknown>,
  settings: Readonly<Record<string, string>>,
): string {
  return url.replaceAll(/\{([^{}]*)\}/g, (_whole, name: string) => {
    const { fallback, allowed = [] } = variables.get(name) ?? {}
    const given = args.get(name)
    const own = Object.hasOwn(settings, name) ? settings[name] : undefined
    const value = given ?? own ?? fallback
    if (value === undefined) throw new Fault('invalid_argument', `the argument ${name} is missing`)
    const text = String(value)
    if (allowed.length > 0 && !allowed.includes(text)) {
      throw new Fault('invalid_argument', `${name} must be one of ${allowed.join(', ')}`)
    }
    if (given !== undefined && !label.test(text)) {
      throw new Fault('invalid_argument', `${name} must be one part of a host name`)
    }
    return text
  })
}
