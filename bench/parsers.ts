import { managementLimits } from '../server/src/api/management/index.ts'
import { parseAliases, parseForm } from '../server/src/devices/device-api/http/form.ts'
import { parseModifiedSince, parseRange } from '../server/src/devices/device-api/http/headers.ts'
import { deviceApiLimits } from '../server/src/devices/device-api/index.ts'
import { Frames } from '../server/src/devices/device-api/mqtt/frames.ts'
import { checkCsr } from '../server/src/devices/provisioning/certificates/csr.ts'
import { provisioningLimits } from '../server/src/devices/provisioning/index.ts'
import { anyJson, formFields, limits, parseJson } from '../server/src/foundation/kernel/index.ts'
import { parseAuthorization } from '../server/src/people/accounts/parse.ts'
import { notificationLimits } from '../server/src/scripts/services/notification/index.ts'
import { readSettings } from '../server/src/scripts/services/webservice/configuration.ts'
import { partsOfUri } from '../server/src/scripts/services/webservice/endpoint-request.ts'
import { webserviceLimits } from '../server/src/scripts/services/webservice/index.ts'
import { parseFields } from '../server/src/scripts/services/webservice/request.ts'
import { extractCredentials } from '../server/src/scripts/services/webservice/sockets/credentials.ts'
import { defineBench } from './support/frame/bench.ts'
import { median, print, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { longestFloodMs } from './support/platform/mqtt-turn.ts'

/**
 * The cost of the worst input for a parser that reads what anybody may send, accepted or refused.
 */
type Case = readonly [name: string, input: string | Buffer, parse: () => unknown]

const timesARound = 10
const usPerMs = 1_000

function attempt(parse: () => unknown): void {
  try {
    parse()
  } catch {
    // A refusal costs, too.
  }
}

const fill = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length))
const { activationBodyBytesMax } = deviceApiLimits
const { formFieldsMax, headerBytesMax } = limits
const { signInBodyBytesMax } = managementLimits
const activations = ['a&', '%41=%41&', '\n', '%c3'].map((piece): Case => {
  const body = Buffer.from(`${fill(piece, activationBodyBytesMax - 1)}x`)
  return [`activation, ${JSON.stringify(piece)}`, body, () => parseForm(body, formFieldsMax)]
})
const query = fill('a&', headerBytesMax)
const blanks = `bytes=${fill(' ', headerBytesMax)}x`
const deep = fill('[', signInBodyBytesMax)
const wide = `[${fill('[],', signInBodyBytesMax)}0]`
const receipt = fill('a&', notificationLimits.notificationReceiptBytesMax)
const control = Buffer.from(fill('\xc0\x00', deviceApiLimits.mqttControlBytesMax), 'latin1')
const connect = Buffer.from([0x10, 0x02, 0x00, 0x00])

/** A SUBSCRIBE to so many topics of three letters. */
function subscribe(topics: number): Buffer {
  const body = Buffer.concat([
    Buffer.from([0, 1]),
    ...Array.from({ length: topics }, (_, at) =>
      Buffer.from(`\0\x03${(at + 100).toString(36).padStart(3, '0')}\0`, 'latin1'),
    ),
  ])
  return Buffer.concat([Buffer.from([0x82, (body.length & 0x7f) + 0x80, body.length >> 7]), body])
}

const subscriptions = Buffer.concat(Array(20).fill(subscribe(deviceApiLimits.mqttTopicsMax)))
const endpointMax = limits.endpointBodyBytesMax
const form = fill('+', endpointMax)
// A longer one is read in the worker of its solution.
const jsonMax = webserviceLimits.endpointJsonBytesMax
const keys = Array.from({ length: jsonMax / 12 }, (_, at) => `"key${at}":1`)
const objects = `{${keys.join(',')}}`
const escapes = `"${fill('\\"', jsonMax - 4)}"`
const nodes = limits.scriptValueNodesMax
const basic = `Basic ${fill('A', headerBytesMax)}`
const badBasic = `Basic${fill(' ', headerBytesMax)}!`
const protocols = fill('bearer.,', headerBytesMax)
const path = fill('/%41', headerBytesMax)
const pem = (edge: string) => `-----${edge} CERTIFICATE REQUEST-----\n`
const key = fill('MIIB', provisioningLimits.csrCharsMax - 100)
const request = `${pem('BEGIN')}${key}\n${pem('END')}`
const settings = readSettings([])
const cases: readonly Case[] = [
  ...activations,
  ['query of a read', query, () => parseAliases(query, deviceApiLimits.aliasesPerRequestMax)],
  ['Range', blanks, () => parseRange(blanks, 1)],
  ['If-Modified-Since', blanks, () => parseModifiedSince(blanks)],
  ['sign-in, deep', deep, () => parseJson(deep)],
  ['sign-in, wide', wide, () => parseJson(wide)],
  ['receipt', receipt, () => formFields(receipt, formFieldsMax)],
  ['Authorization', basic, () => parseAuthorization(basic)],
  ['Authorization, blanks', badBasic, () => parseAuthorization(badBasic)],
  [
    'Sec-WebSocket-Protocol',
    protocols,
    () =>
      extractCredentials({
        message: { headers: { 'sec-websocket-protocol': protocols } },
        settings,
        shared: false,
      }),
  ],
  ['path of an endpoint', path, () => partsOfUri(path)],
  ['form of an open endpoint', form, () => parseFields(form)],
  ['JSON of one, keys', objects, () => parseJson(objects, anyJson(nodes))],
  ['JSON of one, escapes', escapes, () => parseJson(escapes, anyJson(nodes))],
  ['CSR', request, () => checkCsr(request, 'd1')],
  [
    'MQTT, pings of a turn',
    control.subarray(0, 2 * deviceApiLimits.mqttPacketsPerTurn),
    () => {
      const frames = new Frames()
      frames.take(connect, 1)
      frames.take(control, deviceApiLimits.mqttPacketsPerTurn)
    },
  ],
  [
    'MQTT, too many topics',
    control,
    () => {
      const frames = new Frames()
      frames.take(connect, 1)
      frames.take(Buffer.concat([Buffer.from([0x82, 0x80, 0x80, 0x04]), Buffer.alloc(65_536)]), 1)
    },
  ],
]

const floods = [
  ['32,768 pings', control],
  [`20 SUBSCRIBE of ${deviceApiLimits.mqttTopicsMax} topics`, subscriptions],
] as const

export const bench = defineBench({
  name: 'parsers',
  title: ({ rounds }) => `Worst inputs of parsers, ${rounds} rounds of ${timesARound}`,
  options: {},
  goals: {
    worst: { subject: 'the worst input of any parser that anybody reaches', unit: 'ms', atMost: 1 },
    flood: { subject: 'the longest turn while an MQTT client floods', unit: 'ms', atMost: 1 },
  },
  alone: true,
  async measure({ given, record }) {
    const times = given.rounds * timesARound
    const costs = new Map(cases.map((one) => [one[0], measureCosts(one, times)]))
    const rows = cases.map(([name, input]) => {
      const ms = median(costs.get(name) ?? [])
      const kib = input.length / 1024
      return [name, String(input.length), twoPlaces((ms * usPerMs) / kib), twoPlaces(ms)]
    })
    print(table([['parser', 'bytes', 'µs per KiB', 'ms in all'], ...rows]))
    const turns = new Map<string, number[]>()
    for (const [name, flood] of floods) {
      const all: number[] = []
      for (let round = 0; round < times; round += 1) {
        all.push(await longestFloodMs(flood))
      }
      turns.set(name, all)
    }
    print(`\nLongest turn of the event loop while a client of MQTT floods, median of ${times}\n`)
    const lines = floods.map(([name, flood]) => [
      ...[name, String(flood.length), twoPlaces(median(turns.get(name) ?? []))],
    ])
    print(table([['flood', 'bytes', 'ms of CPU'], ...lines]))
    record('worst', { figure: findWorst(costs) })
    record('flood', { figure: findWorst(turns) })
  },
})

/** Milliseconds of CPU, a number each time. */
function measureCosts([, , parse]: Case, times: number): number[] {
  return Array.from({ length: times }, () => {
    const before = process.cpuUsage()
    attempt(parse)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / usPerMs
  })
}

/** The costs of the one whose median is highest. */
function findWorst(all: ReadonlyMap<string, number[]>): number[] {
  return [...all.values()].toSorted((one, other) => median(other) - median(one))[0] ?? []
}

if (import.meta.main) await runBench(bench)
