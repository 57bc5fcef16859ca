import {
  Fault,
  type Fields,
  invalidField,
  isJsonObject,
  limits,
  parseOwnJson,
} from '../../../foundation/kernel/index.ts'
import type { Configuration, ServiceSecrets } from '../../scripting/index.ts'
import type { CloudScheme } from './schemes.ts'

/** The values that a scheme needs, by its names: `key`; `username`, `password`; and so on. */
export type CloudCredentials = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Stands for a scheme: the restricted settings of the document. No scheme has this name. */
export const settingsKey = ''

const fieldsOf: Readonly<Record<CloudScheme['type'], readonly string[]>> = {
  apiKey: ['key'],
  basic: ['username', 'password'],
  bearer: ['token'],
  client: ['client_id', 'client_secret'],
  other: [],
}

/**
 * Reads the secrets that a configuration is given; a scheme with one field may be given its text
 * alone. A message names no value. @throws Fault invalid_argument
 */
export function readCredentials(
  given: unknown,
  schemes: ReadonlyMap<string, CloudScheme>,
): CloudCredentials {
  if (!isJsonObject(given)) throw invalidField('credentials', 'must be an object by scheme')
  const read = Object.entries(given).map(([name, value]) => {
    const scheme = schemes.get(name)
    const shown = name.slice(0, limits.nameCharsMax)
    if (scheme === undefined) throw invalidField('credentials', `name no scheme ${shown}`)
    return [name, readOne(`credentials.${shown}`, value, fieldsOf[scheme.type])] as const
  })
  return Object.fromEntries(read)
}

function readOne(place: string, value: unknown, names: readonly string[]): Record<string, string> {
  const [only] = names
  if (typeof value === 'string' && names.length === 1 && only !== undefined) {
    return { [only]: readText(place, value) }
  }
  const rule = names.length === 0 ? 'are not supported' : `must have ${names.join(' and ')}`
  if (!isJsonObject(value) || names.length === 0) throw invalidField(place, rule)
  const unknown = Object.keys(value).some((name) => !names.includes(name))
  if (unknown || !names.every((name) => typeof value[name] === 'string')) {
    throw invalidField(place, rule)
  }
  return Object.fromEntries(
    names.map((name) => [name, readText(`${place}.${name}`, value[name] as string)]),
  )
}

/** Secrets become headers: a character that ends one is refused. */
function readText(place: string, text: string): string {
  const fits = text !== '' && text.length <= limits.httpCredentialsCharsMax
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (fits && !/[\u0000-\u001f\u007f]/.test(text) && text.isWellFormed()) return text
  throw invalidField(place, 'must be a text of one line')
}

const sealContext = (solutionId: string) => `services/openapi/${solutionId}/credentials`

export function sealCredentials(
  secrets: ServiceSecrets,
  solutionId: string,
  credentials: CloudCredentials,
): string {
  return secrets.seal(JSON.stringify(credentials), sealContext(solutionId))
}

/** @throws Fault secret_unreadable */
export function openCredentials(
  secrets: ServiceSecrets,
  { solutionId, hidden }: Pick<Configuration, 'solutionId' | 'hidden'>,
): CloudCredentials {
  const { credentials } = hidden
  if (typeof credentials !== 'string') return {}
  return parseOwnJson(secrets.open(credentials, sealContext(solutionId)))
}

/** All secret texts, the longest first. */
export function secretTexts(credentials: CloudCredentials): string[] {
  const texts = Object.values(credentials).flatMap((one) => Object.values(one))
  return texts.sort((a, b) => b.length - a.length)
}

type Requirement = Readonly<Record<string, readonly string[]>>

/** The first alternative for which there are credentials. @throws Fault invalid_argument */
export function chooseRequirement(
  alternatives: readonly Requirement[],
  credentials: CloudCredentials,
): Requirement {
  if (alternatives.length === 0) return {}
  const found = alternatives.find((one) => {
    return Object.keys(one).every((name) => Object.hasOwn(credentials, name))
  })
  if (found !== undefined) return found
  const names = alternatives.map((one) => Object.keys(one).join(' and ')).join(', or ')
  throw new Fault('invalid_argument', `the service has no credentials for ${names}`)
}

/** The settings of a configuration that are shown: names alone. */
export function namesOfCredentials(credentials: CloudCredentials): Fields {
  const { [settingsKey]: settings = {}, ...schemes } = credentials
  const [credentialNames, settingNames] = [schemes, settings].map((one) => Object.keys(one).sort())
  return {
    ...(credentialNames?.length && { credentialNames }),
    ...(settingNames?.length && { settingNames }),
  }
}
