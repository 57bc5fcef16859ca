import {
  type Fields,
  invalidField,
  isJsonObject,
  limits,
} from '../../../foundation/kernel/index.ts'
import type {
  Configuration,
  ConfiguredService,
  ConfigureInput,
  ServiceSecrets,
} from '../../scripting/index.ts'
import {
  type CloudCredentials,
  namesOfCredentials,
  openCredentials,
  readCredentials,
  sealCredentials,
  settingsKey,
} from './credentials.ts'
import { type CloudDefinition, readDefinition } from './definition.ts'
import { parseDefinition } from './document.ts'
import { openapiLimits } from './limits.ts'
import { findDestination, isVariableValue } from './server.ts'

/** The settings of a configuration that are shown as they are. */
type Settings = {
  readonly definition: unknown
  readonly base_url: string | undefined
  readonly variables: Readonly<Record<string, string>>
  readonly events: readonly string[]
  readonly rate_per_minute: number
}

const shown = ['definition', 'base_url', 'variables', 'events', 'rate_per_minute'] as const
/** Fields of a configuration that was read, which a change may send back. */
const ignored: ReadonlySet<string> = new Set(['credentialNames', 'settingNames', 'triggers'])
/** Names that a setting of a document cannot have. */
const own: ReadonlySet<string> = new Set([...shown, ...ignored, 'credentials'])

/**
 * Checks a configuration and seals its secrets. A field that is left out stays; null removes it.
 * @throws Fault invalid_argument
 */
export function configure(
  input: ConfigureInput,
  secrets: ServiceSecrets,
  prefixes: readonly string[],
): ConfiguredService {
  const { before } = input
  const notes: string[] = []
  const given = givenSettings(input)
  const settings = readSettings(mergedWith(before, given, shown))
  const definition = definitionIn(settings, prefixes, (sentence) => void notes.push(sentence))
  refuseUnknown(given, definition, input.note)
  const names = [...definition.settings.keys()].filter((name) => !own.has(name))
  const isSecret = (name: string) => definition.settings.get(name)?.restricted === true
  const plain = mergedWith(before, given, [...shown, ...names.filter((name) => !isSecret(name))])
  const { schemes } = definition
  const kept =
    before === undefined ? {} : keptCredentials(before, secrets, prefixes, { definition, settings })
  const changed =
    given.credentials === undefined ? kept : changedCredentials(kept, given.credentials, schemes)
  const hiddenSettings = changedSecrets(kept[settingsKey] ?? {}, given, names.filter(isSecret))
  const { [settingsKey]: _, ...credentials } = changed
  const all = { ...credentials, ...hiddenSettings }
  if (Object.keys(all).length === 0) return { alias: 'openapi', parameters: plain, notes }
  return {
    alias: 'openapi',
    parameters: { ...plain, ...namesOfCredentials(all) },
    hidden: { credentials: sealCredentials(secrets, input.solutionId, all) },
    notes,
  }
}

function mergedWith(
  before: Configuration | undefined,
  given: Fields,
  names: readonly string[],
): Fields {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[name] === undefined ? before?.parameters[name] : given[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

/** The settings that the document declares as restricted, as a scheme of their own. */
function changedSecrets(
  kept: Readonly<Record<string, string>>,
  given: Fields,
  names: readonly string[],
): CloudCredentials {
  const values = names.flatMap((name) => {
    const value = given[name] === undefined ? kept[name] : given[name]
    return value === undefined || value === null ? [] : [[name, String(value)] as const]
  })
  return values.length === 0 ? {} : { [settingsKey]: Object.fromEntries(values) }
}

type Opened = { readonly definition: CloudDefinition; readonly settings: Settings }

/**
 * The secrets of the schemes that are still there and go where they went: who names another host
 * need not know them.
 */
function keptCredentials(
  before: Configuration,
  secrets: ServiceSecrets,
  prefixes: readonly string[],
  now: Opened,
): CloudCredentials {
  const credentials = Object.entries(openCredentials(secrets, before))
  if (credentials.length === 0) return {}
  const settings = readSettings(before.parameters)
  const then = { settings, definition: definitionIn(settings, prefixes, () => {}) }
  return Object.fromEntries(
    credentials.filter(([name]) => {
      const isKnown = name === settingsKey || now.definition.schemes.has(name)
      return isKnown && listHosts(name, now) === listHosts(name, then)
    }),
  )
}

/** Everywhere that the secrets of a scheme are sent. */
function listHosts(name: string, { definition, settings }: Opened): string {
  const scheme = definition.schemes.get(name)
  const tokenUrl = scheme?.type === 'client' ? scheme.tokenUrl : ''
  return `${tokenUrl} ${findDestination(definition.server, settings.variables)}`
}

/** Each scheme by itself: null removes its secrets, null for all removes all. */
function changedCredentials(
  kept: CloudCredentials,
  given: unknown,
  schemes: CloudDefinition['schemes'],
): CloudCredentials {
  if (given === null) return {}
  if (!isJsonObject(given)) return readCredentials(given, schemes)
  const set = Object.entries(given).filter(([, value]) => value !== null)
  const staying = Object.entries(kept).filter(([name]) => !Object.hasOwn(given, name))
  return { ...Object.fromEntries(staying), ...readCredentials(Object.fromEntries(set), schemes) }
}

function givenSettings({ body: { parameters = {}, ...body } }: ConfigureInput): Fields {
  if (!isJsonObject(parameters)) throw invalidField('parameters', 'must be an object')
  const given: Fields = { ...parameters, ...body }
  if (typeof given.definition !== 'string') return given
  return { ...given, definition: parseDefinition(given.definition) }
}

/** A setting is one of the platform, or one that the document declares, with a plain value. */
function refuseUnknown(
  given: Fields,
  { settings }: CloudDefinition,
  note: ConfigureInput['note'],
): void {
  for (const [name, value] of Object.entries(given)) {
    const shownName = name.slice(0, limits.nameCharsMax)
    if (own.has(name)) continue
    if (!settings.has(name)) {
      const sentence = `openapi has no setting ${shownName}`
      if (note === undefined) throw invalidField('body', `is refused: ${sentence}`)
      note(`${sentence}: it is kept and has no effect`)
      continue
    }
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value)
    const most = limits.httpCredentialsCharsMax
    if (!isPlain || String(value).length > most) {
      throw invalidField(shownName, `must be a text of at most ${most} characters`)
    }
  }
}

function readSettings({
  definition,
  base_url: baseUrl,
  variables = {},
  events = [],
  rate_per_minute: rate = openapiLimits.cloudRequestsPerMinute,
}: Fields): Settings {
  const rateMax = openapiLimits.cloudRequestsPerMinuteMax
  if (definition === undefined) throw invalidField('definition', 'is missing')
  if (baseUrl !== undefined && typeof baseUrl !== 'string') {
    throw invalidField('base_url', 'must be a string')
  }
  if (!isJsonObject(variables) || !Object.values(variables).every(isVariableValue)) {
    throw invalidField('variables', 'must be an object of host names, or parts of them')
  }
  const fits = Array.isArray(events) && events.length <= limits.interfaceEventsMax
  if (!fits || !events.every((one) => /^[a-zA-Z][a-zA-Z0-9]{0,99}$/.test(String(one)))) {
    throw invalidField('events', 'must be a list of names of letters and digits')
  }
  if (typeof rate !== 'number' || !Number.isInteger(rate) || rate < 1 || rate > rateMax) {
    throw invalidField('rate_per_minute', `must be a whole number of 1 to ${rateMax}`)
  }
  const texts = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, String(value)]),
  )
  return {
    definition,
    base_url: baseUrl,
    variables: texts,
    events: events.map(String),
    rate_per_minute: rate,
  }
}

function definitionIn(
  settings: Settings,
  prefixes: readonly string[],
  note: (sentence: string) => void,
): CloudDefinition {
  const { definition, base_url: baseUrl, events } = settings
  return readDefinition({ definition, baseUrl, events, prefixes, note })
}

export type OpenedConfiguration = CloudDefinition &
  Pick<Settings, 'variables'> & {
    readonly requestsPerMinute: number
    /** The settings that the document declares and that are no secrets. */
    readonly values: Fields
  }

/** Reads configurations that were stored, each of them once. */
export function createReader(
  prefixes: readonly string[],
): (configuration: Configuration) => OpenedConfiguration {
  const read = new WeakMap<object, OpenedConfiguration>()
  return ({ parameters }) => {
    const known = read.get(parameters)
    if (known !== undefined) return known
    const settings = readSettings(parameters)
    const { variables, rate_per_minute: requestsPerMinute } = settings
    const definition = definitionIn(settings, prefixes, () => {})
    const values = Object.fromEntries(
      Object.entries(parameters).filter(
        ([name]) => definition.settings.has(name) && !own.has(name),
      ),
    )
    const opened = { ...definition, variables, requestsPerMinute, values }
    read.set(parameters, opened)
    return opened
  }
}
