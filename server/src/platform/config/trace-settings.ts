import { commaList, parseWord } from '../../foundation/kernel/index.ts'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The collector of traces of OpenTelemetry, and the share of traces that is sent. */
export type TraceSettings = {
  /** The address to which spans are sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** The part of all messages and requests of which there are traces, 0 to 1. */
  readonly ratio: number
  /** True if a trusted caller decides about the spans below its own. */
  readonly parentBased: boolean
  /** Other attributes of the instance in each trace. */
  readonly attributes: Readonly<Record<string, string>>
}

export const traceSettings = [
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    meaning: 'Where traces go (OTLP over HTTP, JSON), such as http://127.0.0.1:4318. Empty: none.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    default: '',
    meaning: 'The same with its whole path, in place of /v1/traces.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: '',
    meaning: 'Headers of these requests, name=value, separated by commas.',
  },
  {
    name: 'OTEL_TRACES_EXPORTER',
    default: 'otlp',
    meaning: 'otlp, or none: no traces are made.',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    default: '',
    meaning: 'What traces name the instance. Empty: service.name of the attributes, else millrace.',
  },
  {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    default: '',
    meaning: 'What else describes the instance in traces: name=value, separated by commas.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    meaning: `Of which messages and requests there are traces: ${samplers.join(', ')}.`,
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    meaning: 'With traceidratio: the part of them, 0 to 1.',
  },
] as const

type TraceSettingName = (typeof traceSettings)[number]['name']

/**
 * Returns undefined if no traces are made.
 * @throws Error with a sentence that names the setting that is wrong.
 */
export function readTraces(value: (name: TraceSettingName) => string): TraceSettings | undefined {
  const exporter = value('OTEL_TRACES_EXPORTER')
  const url = readUrl(value)
  if (parseWord('OTEL_TRACES_EXPORTER', exporter, ['otlp', 'none']) === 'none') return undefined
  if (url === undefined) return undefined
  const attributes = readPairs('OTEL_RESOURCE_ATTRIBUTES', value('OTEL_RESOURCE_ATTRIBUTES'))
  const sampler = value('OTEL_TRACES_SAMPLER')
  return {
    url,
    headers: readPairs('OTEL_EXPORTER_OTLP_HEADERS', value('OTEL_EXPORTER_OTLP_HEADERS')),
    serviceName: value('OTEL_SERVICE_NAME') || attributes['service.name'] || 'millrace',
    attributes,
    ratio: readRatio(sampler, value('OTEL_TRACES_SAMPLER_ARG')),
    parentBased: sampler.startsWith('parentbased_'),
  }
}

function readUrl(value: (name: TraceSettingName) => string): string | undefined {
  for (const name of [
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
  ] as const) {
    const text = value(name)
    if (text === '') continue
    const protocol = URL.parse(text)?.protocol
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new Error(`${name} is "${text}"; it should be like http://127.0.0.1:4318`)
    }
    const isWhole = name === 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
    return isWhole ? text : `${text.replace(/\/+$/, '')}/v1/traces`
  }
  return undefined
}

/** Values are encoded as in a URL. The error names no value: they are secrets. */
function readPairs(setting: TraceSettingName, text: string): Readonly<Record<string, string>> {
  const pairs = commaList(text).map((pair) => {
    const [, name = '', value = ''] = /^([\w.-]+)\s*=\s*(.*)$/.exec(pair) ?? []
    if (name !== '') return [name, decoded(value)] as const
    throw new Error(`${setting} should be name=value, separated by commas`)
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readRatio(sampler: string, text: string): number {
  const known = parseWord('OTEL_TRACES_SAMPLER', sampler, samplers)
  if (known.endsWith('always_on')) return 1
  if (known.endsWith('always_off')) return 0
  const ratio = Number(text)
  if (ratio >= 0 && ratio <= 1) return ratio
  throw new Error(`OTEL_TRACES_SAMPLER_ARG is "${text}"; it should be a number from 0 to 1`)
}
