import {
  createSettingsParser,
  Fault,
  hashToken,
  isJsonObject,
  limits,
} from '../../../foundation/kernel/index.ts'
import type {
  Configuration,
  ConfiguredService,
  ConfigureInput,
  Endpoint,
} from '../../scripting/index.ts'
import { type Cors, parseCors } from './cors.ts'
import { type CredentialScheme, type Demand, readDemands } from './demands.ts'
import { composeHeaders, type HeaderPair } from './headers.ts'
import { webserviceLimits } from './limits.ts'
import { createDocumentSchema } from './settings.ts'

/** A solution's settings for all its endpoints. */
export type WebserviceSettings = {
  readonly cors: Cors | undefined
  /** Names of the keys by their hashes. */
  readonly keys: ReadonlyMap<string, string>
  /** The rate of endpoints without a rate of their own. */
  readonly rate: Endpoint['rate']
  /** Added to each answer whose script does not set them. */
  readonly headers: readonly HeaderPair[]
  readonly schemes: readonly CredentialScheme[]
  /** The security of endpoints that do not state it: each of these lets a caller in. */
  readonly demands: readonly Demand[]
  /** The project's own description of its endpoints; empty if it has none. */
  readonly schema: Fields
  /** The static file that answers for a folder. */
  readonly defaultPage: string
  /** The solution's own OpenAPI document; undefined if it has none. */
  readonly document: DocumentSettings | undefined
}

export type DocumentSettings = {
  /** Tags, paths, or names such as `GET /x`; undefined: all endpoints. */
  readonly endpoints: readonly string[] | undefined
  readonly info: Fields
}

type Fields = Readonly<Record<string, unknown>>

const known = ['cors', 'api_keys', 'api_key_names', 'domain', 'triggers']

/** Settings that are stored as they are, once they are checked. */
const plain = [
  'documented_endpoints',
  'api_info',
  'security_schemes',
  'security',
  'schema',
  'headers',
  'rate_limit',
  'default_page',
] as const

/**
 * A field that is left out stays as it was; null removes it. Keys are given as
 * `{<name>: <key>}`, and only their names are shown.
 * @throws Fault invalid_argument
 */
export function configure({ body, before, note }: ConfigureInput): ConfiguredService {
  const { parameters = {}, ...rest } = body
  if (!isJsonObject(parameters)) throw invalid('parameters must be an object')
  const given: Fields = { ...parameters, ...rest }
  const names: readonly string[] = [...known, ...plain]
  for (const unknown of Object.keys(given).filter((field) => !names.includes(field))) {
    const sentence = `There is no setting ${JSON.stringify(unknown.slice(0, limits.nameCharsMax))}`
    if (note === undefined) throw invalid(`${sentence}.`)
    note(`${sentence}: it is kept and has no effect`)
  }
  const cors = given.cors === undefined ? before?.parameters.cors : given.cors
  const hashes = mergeKeys(before?.hidden.api_keys, given.api_keys)
  const keyNames = Object.keys(hashes).sort()
  const settings = parsePlain(given, before?.parameters ?? {})
  return {
    alias: 'webservice',
    parameters: {
      ...(cors === undefined || cors === null ? {} : readCors(cors, note)),
      ...(keyNames.length === 0 ? {} : { api_key_names: keyNames }),
      ...settings,
    },
    hidden: keyNames.length === 0 ? {} : { api_keys: hashes },
    notes: securityNotes(settings, note),
  }
}

/** A policy of a project that cannot be taken is left out, which opens nothing. */
function readCors(given: unknown, note: ConfigureInput['note']): Fields {
  try {
    return { cors: parseCors(given) }
  } catch (error) {
    if (note === undefined || !(error instanceof Fault)) throw error
    note(`${error.detail}: no other origin may call`)
    return {}
  }
}

const parseDocument = createSettingsParser(createDocumentSchema, 'webservice', '')

type PlainSettings = ReturnType<typeof parseDocument>

/** A field that is left out stays as it was; null removes it. @throws Fault invalid_argument */
function parsePlain(given: Fields, before: Fields): PlainSettings {
  const entries = plain.flatMap((name) => {
    const value = given[name] === undefined ? before[name] : given[name]
    return value === undefined || value === null ? [] : [[name, value] as const]
  })
  const settings = parseDocument(Object.fromEntries(entries))
  // Headers that no answer may have are refused now, and not at each request.
  if (settings.headers !== undefined) headersIn(settings.headers)
  return settings
}

/** Checks what callers of endpoints without `--#SECURITY` meet. @throws Fault invalid_argument */
function securityNotes(
  { security = [], security_schemes: schemes = [] }: PlainSettings,
  note: ConfigureInput['note'],
): readonly string[] {
  const demands = readDemands(security, schemes)
  const at = demands.findIndex((demand) => demand.security === 'unknown')
  if (at >= 0) {
    const name = JSON.stringify(security[at])?.slice(0, limits.nameCharsMax)
    const problem = `security names no credential that can be looked for: ${name}`
    if (note === undefined) throw invalid(problem)
    note(`${problem}; it lets nobody in`)
  }
  if (demands.every(({ isChecked }) => isChecked)) return []
  return [
    'security demands a credential of endpoints without --#SECURITY, and the script checks it; ' +
      'with the word platform behind it the platform does',
  ]
}

/** @throws Fault invalid_argument */
function headersIn(given: Readonly<Record<string, string>>): HeaderPair[] {
  try {
    return composeHeaders(given, false)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw invalid(error.detail.replace('response.headers', 'headers'))
  }
}

const secondsPerMinute = 60

/** Removes a key that is null; keys that are not named stay. */
function mergeKeys(before: unknown, given: unknown): Record<string, string> {
  const current = isJsonObject(before) ? before : {}
  if (given === null) return {}
  if (given !== undefined && !isJsonObject(given)) throw invalid('api_keys must be an object')
  const hashes = new Map(Object.entries(current as Record<string, string>))
  for (const [name, key] of Object.entries(given ?? {})) {
    if (!/^[\w.-]{1,63}$/.test(name)) {
      throw invalid('api_keys must have names of up to 63 letters, digits and _ . -')
    }
    if (key === null) hashes.delete(name)
    else hashes.set(name, hashToken(asKey(name, key)))
  }
  if (hashes.size > webserviceLimits.endpointKeysMax) {
    throw invalid(`api_keys has at most ${webserviceLimits.endpointKeysMax} keys`)
  }
  return Object.fromEntries(hashes)
}

function asKey(name: string, key: unknown): string {
  const { endpointKeyCharsMin: min, endpointKeyCharsMax: max } = webserviceLimits
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && key.length >= min && key.length <= max) {
    return key
  }
  throw invalid(`api_keys.${name} must be ${min} to ${max} letters of ASCII without spaces`)
}

export function readSettings(configurations: readonly Configuration[]): WebserviceSettings {
  const own = configurations.find(({ service }) => service === 'webservice')
  const { api_keys: hashes = {} } = (own?.hidden ?? {}) as { api_keys?: Record<string, string> }
  const {
    rate_limit: limit,
    headers,
    security_schemes: schemes = [],
    api_info: info,
    documented_endpoints: documented,
    security = [],
    schema = {},
    default_page: defaultPage = 'index.html',
  } = parseDocument(pickPlain(own?.parameters ?? {}))
  const document = { endpoints: documented, info: info ?? {} }
  return {
    cors: own?.parameters.cors as Cors | undefined,
    keys: new Map(Object.entries(hashes).map(([name, hash]) => [hash, name])),
    rate:
      limit === 0 || limit === undefined
        ? undefined
        : { requests: limit, seconds: secondsPerMinute },
    headers: headers === undefined ? [] : headersIn(headers),
    schemes,
    demands: readDemands(security, schemes),
    schema,
    defaultPage,
    document: info === undefined && documented === undefined ? undefined : document,
  }
}

function pickPlain(parameters: Fields): Fields {
  const names: readonly string[] = plain
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => names.includes(name)))
}

function invalid(rule: string): Fault {
  return new Fault('invalid_argument', rule)
}
