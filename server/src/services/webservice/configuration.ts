import { Fault, hashToken, isJsonObject, limits } from '../../kernel/index.ts'
import type { Configuration, ConfiguredService, ConfigureInput } from '../../scripting/index.ts'
import { type Cors, parseCors } from './cors.ts'

/** A solution's settings for all its endpoints. */
export type WebserviceSettings = {
  readonly cors: Cors | undefined
  /** Names of the keys by their hashes. */
  readonly keys: ReadonlyMap<string, string>
}

type Fields = Readonly<Record<string, unknown>>

const known = ['cors', 'api_keys', 'api_key_names', 'triggers']

/**
 * A field that is left out stays as it was; null removes it. Keys are given as
 * `{<name>: <key>}`, and only their names are shown.
 * @throws Fault invalid_argument
 */
export function configure({ body, before }: ConfigureInput): ConfiguredService {
  const { parameters = {}, ...rest } = body
  if (!isJsonObject(parameters)) throw invalid('parameters must be an object')
  const given: Fields = { ...parameters, ...rest }
  const unknown = Object.keys(given).find((field) => !known.includes(field))
  if (unknown !== undefined) {
    throw invalid(`There is no setting ${JSON.stringify(unknown.slice(0, limits.nameCharsMax))}.`)
  }
  const cors = given.cors === undefined ? before?.parameters.cors : given.cors
  const hashes = mergeKeys(before?.hidden.api_keys, given.api_keys)
  const names = Object.keys(hashes).sort()
  return {
    alias: 'webservice',
    parameters: {
      ...(cors === undefined || cors === null ? {} : { cors: parseCors(cors) }),
      ...(names.length === 0 ? {} : { api_key_names: names }),
    },
    hidden: names.length === 0 ? {} : { api_keys: hashes },
  }
}

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
  if (hashes.size > limits.endpointKeysMax) {
    throw invalid(`api_keys has at most ${limits.endpointKeysMax} keys`)
  }
  return Object.fromEntries(hashes)
}

function asKey(name: string, key: unknown): string {
  const { endpointKeyCharsMin: min, endpointKeyCharsMax: max } = limits
  if (typeof key === 'string' && /^[!-~]+$/.test(key) && key.length >= min && key.length <= max) {
    return key
  }
  throw invalid(`api_keys.${name} must be ${min} to ${max} letters of ASCII without spaces`)
}

export function settingsOf(configurations: readonly Configuration[]): WebserviceSettings {
  const own = configurations.find(({ service }) => service === 'webservice')
  const { api_keys: hashes = {} } = (own?.hidden ?? {}) as { api_keys?: Record<string, string> }
  return {
    cors: own?.parameters.cors as Cors | undefined,
    keys: new Map(Object.entries(hashes).map(([name, hash]) => [hash, name])),
  }
}

function invalid(rule: string): Fault {
  return new Fault('invalid_argument', rule)
}
