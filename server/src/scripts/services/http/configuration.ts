import {
  createSettingsParser,
  Fault,
  isJsonObject,
  limits,
  Nullable,
  omitUndefined,
  parseOwnJson,
  RecordOf,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { GuestTls } from '../../../foundation/outbound/index.ts'
import type {
  Configuration,
  ConfiguredService,
  ConfigureInput,
  ServiceSecrets,
  ServiceSettings,
} from '../../scripting/index.ts'
import { parseCredentials } from './credentials.ts'
import { createSslOptionsSchema, parseSslOptions, readSslOptions } from './ssl-options.ts'

type Field = 'credentials' | 'sslOptions'

/** A stored secret: its names are readable, its values are encrypted. */
type Stored = {
  readonly names: unknown
  /** The hosts of credentials that are not sent to any host. */
  readonly hosts?: unknown
  readonly sealed: unknown
}

const shownAs = { credentials: 'credentialNames', sslOptions: 'sslOptionNames' } as const

function createSchema() {
  const names = (title: string) =>
    Type.Optional(Type.Array(Type.String(), { title, readOnly: true }))
  return StrictObject({
    credentials: Type.Optional(
      Nullable(
        Type.String({
          title: 'Credentials',
          description:
            'Lines of `name=value`, or JSON: `{name: {value, hosts}}`; requests name `{{name}}`.',
          writeOnly: true,
          contentMediaType: 'text/plain',
          rule: 'must be a string',
        }),
      ),
    ),
    credentialNames: names('Names of the credentials'),
    credentialHosts: Type.Optional(
      RecordOf(Type.Array(Type.String()), {
        title: 'Hosts of the credentials',
        description: 'Credentials without hosts are sent wherever a script sends them.',
        readOnly: true,
      }),
    ),
    sslOptions: Type.Optional(
      Nullable(createSslOptionsSchema({ title: 'TLS of all requests', writeOnly: true })),
    ),
    sslOptionNames: names('TLS texts that are set'),
  })
}

const parse = createSettingsParser(createSchema, 'The HTTP client', '')

/** The contract of its settings. A secret that is given takes the place of the whole before. */
export const httpSettings: ServiceSettings = {
  schema: createSchema,
  listSecrets: ({ hidden }) => Object.keys(hidden).map((field) => `/${field}`),
  hasTriggers: false,
  guards: ['sslOptions'],
}

type Read = { readonly names: string[]; readonly text: string; readonly hosts?: object }

const read: Readonly<Record<Field, (given: unknown) => Read>> = {
  credentials(given) {
    const text = String(given)
    const credentials = [...parseCredentials(text)]
    const names = credentials.map(([name]) => name)
    const bound = credentials.filter(([, { hosts }]) => hosts !== undefined)
    const hosts = Object.fromEntries(bound.map(([name, { hosts }]) => [name, hosts]))
    return { names, text, ...(bound.length > 0 && { hosts }) }
  },
  sslOptions(given) {
    const tls = readSslOptions(parseSslOptions(given)) ?? {}
    const names = Object.keys(tls).map((name) => (name === 'ca' ? 'cacerts' : name))
    return { names, text: JSON.stringify(tls) }
  },
}

function sealContext(solutionId: string, field: Field): string {
  return `services/http/${solutionId}/${field}`
}

/**
 * Checks and encrypts a solution's configuration. Reading it returns names only, so a field that is
 * left out stays as it was; null or "" removes it.
 * @throws Fault invalid_argument
 */
export function configure(input: ConfigureInput, secrets: ServiceSecrets): ConfiguredService {
  const given = parseSettings(input.body, input.note)
  const parameters: Record<string, unknown> = {}
  const hidden: Record<string, unknown> = {}
  for (const field of ['credentials', 'sslOptions'] as const) {
    const stored =
      given[field] === undefined
        ? storedBefore(input, field)
        : sealed(given[field], input.solutionId, field, secrets)
    if (stored === undefined) continue
    parameters[shownAs[field]] = stored.names
    if (stored.hosts !== undefined) parameters.credentialHosts = stored.hosts
    hidden[field] = stored.sealed
  }
  return {
    alias: 'http',
    parameters,
    hidden,
    notes: given.credentials ? makeNotes(parameters) : [],
  }
}

function makeNotes({ credentialNames = [], credentialHosts = {} }: Settings): readonly string[] {
  const isBound = (name: string) => Object.hasOwn(credentialHosts as object, name)
  return (credentialNames as string[]).every(isBound)
    ? []
    : ['credentials without hosts are sent wherever a script sends them']
}

type Settings = ConfigureInput['body']

/** Fields of a read configuration, which are ignored when a change sends them back. */
const ignored = new Set<string>([...Object.values(shownAs), 'credentialHosts', 'triggers'])

/** @throws Fault invalid_argument */
function parseSettings(
  { parameters = {}, ...body }: Settings,
  note: ConfigureInput['note'],
): Settings {
  if (!isJsonObject(parameters)) {
    throw new Fault('invalid_argument', 'parameters must be an object')
  }
  const settings: Settings = { ...parameters, ...body }
  const known = (field: string) => Object.hasOwn(shownAs, field) || ignored.has(field)
  for (const unknown of Object.keys(settings).filter((field) => !known(field))) {
    const named = JSON.stringify(unknown.slice(0, limits.nameCharsMax))
    const sentence = `The HTTP client has no setting ${named}`
    if (note === undefined) throw new Fault('invalid_argument', `${sentence}.`)
    note(`${sentence}: it is kept and has no effect`)
  }
  const { credentials, sslOptions } = settings
  return parse(
    omitUndefined({ credentials: presence(credentials), sslOptions: presence(sslOptions) }),
  )
}

/** An empty text removes, as null does. */
function presence(given: unknown): unknown {
  return given === '' ? null : given
}

function storedBefore({ before }: ConfigureInput, field: Field): Stored | undefined {
  const known = before?.hidden[field]
  return known === undefined
    ? undefined
    : {
        names: before?.parameters[shownAs[field]],
        hosts: field === 'credentials' ? before?.parameters.credentialHosts : undefined,
        sealed: known,
      }
}

function sealed(
  given: unknown,
  solutionId: string,
  field: Field,
  secrets: ServiceSecrets,
): Stored | undefined {
  if (given === null) return undefined
  const { text, ...shown } = read[field](given)
  if (shown.names.length === 0) return undefined
  return { ...shown, sealed: secrets.seal(text, sealContext(solutionId, field)) }
}

/** Decrypts a solution's configuration for its requests. @throws Fault secret_unreadable */
export function openConfiguration(
  configuration: Configuration | undefined,
  secrets: ServiceSecrets,
) {
  const { solutionId = '', hidden = {} } = configuration ?? {}
  const text = (field: Field): string | undefined => {
    const stored = hidden[field]
    return typeof stored === 'string'
      ? secrets.open(stored, sealContext(solutionId, field))
      : undefined
  }
  return {
    credentials: () => text('credentials'),
    sslOptions: (): GuestTls | undefined => {
      const json = text('sslOptions')
      return json === undefined ? undefined : parseOwnJson<GuestTls>(json)
    },
  }
}
