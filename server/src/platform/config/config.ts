import { isAbsolute, resolve } from 'node:path'
import {
  commaList,
  compatibilityProfiles,
  isOn,
  type LimitValues,
  type ProcessRole,
  parseRoles,
  parseWord,
  processRoles,
} from '../../foundation/kernel/index.ts'
import { parseSmtpUrl, type SmtpServer } from '../../foundation/mail/index.ts'
import { limitsFileSetting, readLimits } from './limit-settings.ts'
import { type ProxySettings, proxySettings, readProxies } from './proxy-settings.ts'
import { readTls, type TlsSettings, tlsSettings } from './tls-settings.ts'
import { readTraces, type TraceSettings, traceSettings } from './trace-settings.ts'

/** An address to listen on. */
export type Address = { readonly host: string; readonly port: number }

/** The settings of an instance, as one tree. */
export type Config = {
  /** The directory of the instance: the engine's data, keys, `demo.json`. Absolute. */
  readonly dataDir: string
  /** A PostgreSQL server; without it the embedded engine is used. */
  readonly databaseUrl: string | undefined
  /** The roles of this process. */
  readonly roles: readonly ProcessRole[]
  /** Console, GraphQL, management, and the device API for connectors in developer mode. */
  readonly http: Address
  /** The device API over TLS. */
  readonly deviceTls: Address
  /** MQTT over TLS; undefined: no listener of its own; the device API's port takes MQTT too. */
  readonly mqttTls: Address | undefined
  /** Plain MQTT, for connectors in developer mode; undefined: none. */
  readonly mqtt: Address | undefined
  /** The server certificates of the TLS listeners. */
  readonly tls: TlsSettings
  readonly proxies: ProxySettings
  /** Metrics and health; undefined: none. */
  readonly metrics: Address | undefined
  /** The collector of traces; undefined: none are made. */
  readonly traces: TraceSettings | undefined
  /** A connector's host is `<connector_id>.<domain>`. */
  readonly domain: string
  /** Names of the instance itself, beside the domain, `localhost` and addresses. */
  readonly hosts: readonly string[]
  /** Labels before the domain that no connector and no solution takes, beside the usual ones. */
  readonly reservedLabels: readonly string[]
  /** Origins of pages that may use GraphQL from a browser; `*`: every page. */
  readonly graphqlOrigins: readonly string[]
  /** The public URL of the notification service: `https://notify.example.com`. */
  readonly notifyUrl: string | undefined
  /** Compatibility profiles that add vendor names. */
  readonly compatibility: readonly string[]
  /** Private addresses, `host:port`, that the platform may call all the same. */
  readonly outboundAllow: readonly string[]
  /**
   * The address at which people reach the console, for links in mails:
   * `https://millrace.example.com`.
   */
  readonly publicUrl: string
  /** The server that sends mail; undefined: mails stay in the sink. */
  readonly smtp: SmtpServer | undefined
  /** The sender of mails: `Millrace <millrace@example.com>`. */
  readonly mailFrom: string
  readonly demo: boolean
  /** True if tests of solutions may run here; undefined: as the command has it. */
  readonly solutionTests: boolean | undefined
  readonly logLevel: string
  /** The key that encrypts secrets; undefined: the key of the data directory. */
  readonly instanceKey: string | undefined
  /** The limits that differ from their defaults; `applyLimits` sets them. */
  readonly limits: LimitValues
}

type Setting = {
  readonly name: string
  readonly default: string
  readonly meaning: string
}

/** Every setting: what `millrace config` prints. */
export const settings = [
  {
    name: 'MILLRACE_DATA',
    default: './.millrace',
    meaning: 'The directory of the data, the keys and demo.json.',
  },
  {
    name: 'DATABASE_URL',
    default: '',
    meaning: 'A PostgreSQL server (postgres://user@host/database). Empty: the embedded engine.',
  },
  {
    name: 'MILLRACE_ROLES',
    default: processRoles.join(','),
    meaning:
      'The roles of the process, of several on one database: device (answers devices), worker ' +
      '(reads the log, runs jobs), api (console, management, GraphQL, endpoints of solutions).',
  },
  {
    name: 'MILLRACE_HTTP',
    default: '127.0.0.1:8080',
    meaning: 'Console, GraphQL, management, and devices of connectors in developer mode.',
  },
  {
    name: 'MILLRACE_DEVICE_TLS',
    default: '127.0.0.1:8443',
    meaning: 'The device API over TLS: HTTPS, and MQTT as well.',
  },
  {
    name: 'MILLRACE_MQTT_TLS',
    default: '127.0.0.1:8883',
    meaning: 'MQTT over TLS, on a port of its own; or off.',
  },
  {
    name: 'MILLRACE_MQTT',
    default: 'off',
    meaning: 'Plain MQTT, for connectors in developer mode; such as 127.0.0.1:1884; or off.',
  },
  {
    name: 'MILLRACE_METRICS',
    default: 'off',
    meaning: 'Metrics and health for monitoring, such as 127.0.0.1:9464; or off.',
  },
  ...traceSettings,
  ...tlsSettings,
  ...proxySettings,
  {
    name: 'MILLRACE_DOMAIN',
    default: 'localhost',
    meaning: "A connector's host is <connector_id>.<domain>.",
  },
  {
    name: 'MILLRACE_HOSTS',
    default: '',
    meaning: 'More host names of console and API, such as millrace.lan, separated by commas.',
  },
  {
    name: 'MILLRACE_RESERVED_LABELS',
    default: '',
    meaning: 'More labels under the domain that no tenant can take (beside www and others): a,b,c.',
  },
  {
    name: 'MILLRACE_GRAPHQL_ORIGINS',
    default: '',
    meaning: 'Origins of pages that may use GraphQL: https://a.example,https://b.example; or *.',
  },
  {
    name: 'MILLRACE_NOTIFY_URL',
    default: '',
    meaning: 'The public URL of notify.<domain>, such as https://notify.example.com, for receipts.',
  },
  {
    name: 'MILLRACE_COMPATIBILITY',
    default: 'none',
    meaning: `Profiles with more vendor names: ${compatibilityProfiles.join(', ')}; or none.`,
  },
  {
    name: 'MILLRACE_OUTBOUND_ALLOW',
    default: '',
    meaning: 'Private addresses that the platform may call, host:port, separated by commas.',
  },
  {
    name: 'MILLRACE_PUBLIC_URL',
    default: '',
    meaning:
      'Where people reach the console, for links in mails. Empty: http:// and MILLRACE_HTTP.',
  },
  {
    name: 'MILLRACE_SMTP_URL',
    default: '',
    meaning:
      'The server that sends mail: smtp://user:password@host:587, or smtps://. Empty: mails are ' +
      'kept, and `millrace mail list` shows them.',
  },
  {
    name: 'MILLRACE_MAIL_FROM',
    default: '',
    meaning: 'The sender of mails: name <address>. Empty: Millrace <millrace@MILLRACE_DOMAIN>.',
  },
  {
    name: 'MILLRACE_DEMO',
    default: 'on',
    meaning: 'on: `npm start` seeds a demo business and runs its fleet. off: it does not.',
  },
  {
    name: 'MILLRACE_SOLUTION_TESTS',
    default: '',
    meaning: 'on: `solution test` may run tests here. off: it may not. Empty: on beside the demo.',
  },
  {
    name: 'MILLRACE_LOG',
    default: 'warn',
    meaning: 'The log level on standard error: debug, info, warn, error or silent.',
  },
  {
    name: 'MILLRACE_INSTANCE_KEY',
    default: '',
    meaning:
      'The key that encrypts secrets, 64 hexadecimal digits. Empty: instance.key of the data.',
  },
  {
    name: limitsFileSetting,
    default: '',
    meaning: 'A file of limits, one "name: value" on a line; MILLRACE_LIMIT_… overrides it.',
  },
] as const satisfies readonly Setting[]

type SettingName = (typeof settings)[number]['name']

const logLevels = ['debug', 'info', 'warn', 'error', 'silent']

/**
 * Reads the settings from an environment; relative paths start at `folder`.
 * @throws Error with a sentence that names the setting that is wrong.
 */
export function readConfig(environment: NodeJS.ProcessEnv, folder: string): Config {
  const value = (name: SettingName): string => {
    const given = environment[name]?.trim()
    if (given !== undefined && given !== '') return given
    return settings.find((setting) => setting.name === name)?.default ?? ''
  }
  const dataDir = value('MILLRACE_DATA')
  const domain = parseDomain(value('MILLRACE_DOMAIN'))
  const demo = isOn('MILLRACE_DEMO', value('MILLRACE_DEMO'))
  return {
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(folder, dataDir),
    databaseUrl: value('DATABASE_URL') || undefined,
    roles: parseRoles('MILLRACE_ROLES', value('MILLRACE_ROLES')),
    http: parseAddress('MILLRACE_HTTP', value('MILLRACE_HTTP')),
    deviceTls: parseAddress('MILLRACE_DEVICE_TLS', value('MILLRACE_DEVICE_TLS')),
    mqttTls: parseSwitchable('MILLRACE_MQTT_TLS', value('MILLRACE_MQTT_TLS')),
    mqtt: parseSwitchable('MILLRACE_MQTT', value('MILLRACE_MQTT')),
    metrics: parseSwitchable('MILLRACE_METRICS', value('MILLRACE_METRICS')),
    traces: readTraces(value),
    tls: readTls(value, folder),
    proxies: readProxies(value),
    domain,
    hosts: parseHosts(value('MILLRACE_HOSTS')),
    reservedLabels: parseLabels(value('MILLRACE_RESERVED_LABELS')),
    graphqlOrigins: commaList(value('MILLRACE_GRAPHQL_ORIGINS')).map(parseOrigin),
    notifyUrl: parseBaseUrl('MILLRACE_NOTIFY_URL', value('MILLRACE_NOTIFY_URL')),
    compatibility: parseProfiles(value('MILLRACE_COMPATIBILITY')),
    outboundAllow: commaList(value('MILLRACE_OUTBOUND_ALLOW')),
    publicUrl:
      parseBaseUrl('MILLRACE_PUBLIC_URL', value('MILLRACE_PUBLIC_URL')) ??
      `http://${value('MILLRACE_HTTP')}`,
    smtp: parseSmtp(value('MILLRACE_SMTP_URL')),
    mailFrom: value('MILLRACE_MAIL_FROM') || `Millrace <millrace@${domain}>`,
    demo,
    solutionTests: parseSwitch('MILLRACE_SOLUTION_TESTS', value('MILLRACE_SOLUTION_TESTS')),
    logLevel: parseWord('MILLRACE_LOG', value('MILLRACE_LOG'), logLevels),
    instanceKey: value('MILLRACE_INSTANCE_KEY') || undefined,
    limits: readLimits(environment, folder),
  }
}

/** The configuration of an instance for tests: free ports of this machine, and no demo. */
export function temporaryConfig(dataDir: string, given: Partial<Config>): Config {
  const free = '127.0.0.1:0'
  const config = readConfig(
    {
      MILLRACE_DATA: dataDir,
      MILLRACE_HTTP: free,
      MILLRACE_DEVICE_TLS: free,
      MILLRACE_MQTT_TLS: 'off',
      MILLRACE_DEMO: 'off',
    },
    dataDir,
  )
  return { ...config, ...given }
}

/** A commented template of all settings, to be filled in and given as the environment. */
export function configTemplate(): string {
  return settings
    .map(({ name, default: preset, meaning }) => `# ${meaning}\n${name}=${preset}\n`)
    .join('\n')
}

/** The highest port that there is. */
const portMax = 65_535

function parseAddress(name: SettingName, text: string): Address {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:]+):(\d{1,5})$/i.exec(text)
  const port = Number(match?.[2])
  if (match?.[1] === undefined || port > portMax) {
    throw new Error(`${name} is "${text}"; it should be host:port, such as 127.0.0.1:8080`)
  }
  return { host: match[1].replace(/^\[|\]$/g, ''), port }
}

function parseSwitch(name: SettingName, text: string): boolean | undefined {
  return text === '' ? undefined : isOn(name, text)
}

function parseSwitchable(name: SettingName, text: string): Address | undefined {
  return text === 'off' ? undefined : parseAddress(name, text)
}

function parseProfiles(text: string): readonly string[] {
  const profiles = commaList(text).filter((profile) => profile !== 'none')
  for (const profile of profiles)
    parseWord('MILLRACE_COMPATIBILITY', profile, compatibilityProfiles)
  return profiles
}

const hostName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

function parseOrigin(text: string): string {
  if (text === '*' || URL.parse(text)?.origin === text.toLowerCase()) return text.toLowerCase()
  throw new Error(`MILLRACE_GRAPHQL_ORIGINS has "${text}"; it should be like https://a.example`)
}

function parseDomain(text: string): string {
  if (!hostName.test(text)) {
    throw new Error(`MILLRACE_DOMAIN is "${text}"; it should be a host name`)
  }
  return text.toLowerCase()
}

function parseHosts(text: string): readonly string[] {
  return commaList(text.toLowerCase()).map((host) => {
    if (hostName.test(host)) return host
    throw new Error(`MILLRACE_HOSTS has "${host}"; it should be host names without a port`)
  })
}

function parseLabels(text: string): readonly string[] {
  return commaList(text.toLowerCase()).map((label) => {
    if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) return label
    throw new Error(
      `MILLRACE_RESERVED_LABELS has "${label}"; a label is letters, digits and inner dashes`,
    )
  })
}

function parseSmtp(text: string): SmtpServer | undefined {
  if (text === '') return undefined
  const server = parseSmtpUrl(text)
  if (server !== undefined) return server
  // The URL may hold a password, which is not repeated.
  throw new Error('MILLRACE_SMTP_URL should be smtp://user:password@host:port, or smtps://')
}

function parseBaseUrl(name: SettingName, text: string): string | undefined {
  if (text === '') return undefined
  const url = URL.parse(text)
  const plain = url !== null && url.href === `${url.origin}/`
  if (plain && /^https?:$/.test(url.protocol)) return url.origin
  throw new Error(
    `${name} is "${text}"; it should be an origin, such as https://notify.example.com`,
  )
}
