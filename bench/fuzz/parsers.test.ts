import { strict as assert } from 'node:assert'
import { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createDocuments } from '../../server/src/api/graphql/execution/documents.ts'
import { explain, requireAffordable } from '../../server/src/api/graphql/limits/check-cost.ts'
import { createSchema } from '../../server/src/api/graphql/schema.ts'
import { parseAliases, parseForm } from '../../server/src/devices/device-api/http/form.ts'
import { parseModifiedSince, parseRange } from '../../server/src/devices/device-api/http/headers.ts'
import { deviceApiLimits } from '../../server/src/devices/device-api/index.ts'
import { quoteNumbers } from '../../server/src/devices/device-api/mqtt/quote-numbers.ts'
import { readRows } from '../../server/src/devices/provisioning/bulk/csv.ts'
import { parseHeader } from '../../server/src/devices/provisioning/bulk/header.ts'
import { parseClientCa } from '../../server/src/devices/provisioning/certificates/client-ca.ts'
import { checkCrl } from '../../server/src/devices/provisioning/certificates/crl.ts'
import { checkCsr } from '../../server/src/devices/provisioning/certificates/csr.ts'
import { provisioningLimits } from '../../server/src/devices/provisioning/index.ts'
import { Fault, formFields, limits, parseJson } from '../../server/src/foundation/kernel/index.ts'
import { parseDocument } from '../../server/src/insight/marketplace/definition/document.ts'
import { parseAuthorization } from '../../server/src/people/accounts/parse.ts'
import { readServiceFile } from '../../server/src/scripts/scripting/projects/service-files.ts'
import {
  openDocument,
  parseDefinition,
} from '../../server/src/scripts/services/openapi/document.ts'
import { parseFields } from '../../server/src/scripts/services/webservice/request.ts'
import { suiteContext } from '../../server/test/fixtures/suite.ts'
import { openCa } from '../../server/test/fixtures/wire/ca.ts'
import { openCrls } from '../../server/test/fixtures/wire/crl.ts'
import { openOpenssl } from '../../server/test/fixtures/wire/openssl.ts'
import { longestTurnMs } from '../support/frame/turns.ts'
import { longestFloodMs } from '../support/platform/mqtt-turn.ts'
import { near } from './mutations.ts'

const isLong = process.env.MILLRACE_TEST_LONG === 'yes'
const numRuns = Number(process.env.MILLRACE_TEST_RUNS ?? (isLong ? 20_000 : 200))
const seed = Number(process.env.MILLRACE_TEST_SEED ?? 34)
/** The longest that one input may hold the event loop. */
const turnMsMax = 20
const tries = 3

type Case = {
  readonly seeds: readonly (string | Buffer)[]
  readonly words: readonly string[]
  readonly bytesMax: number
  readonly parse: (bytes: Buffer) => unknown
  /** Milliseconds that one input took, where the parser measures them itself. */
  readonly measured?: boolean
  /** The share of the runs, for a parser that takes long. */
  readonly share?: number
  /** Inputs that were refused wrongly, or held the event loop, once. */
  readonly found?: readonly Buffer[]
}

/** Parses; a fault that the edge shows is right, too. @returns the longest turn in milliseconds. */
async function measureParseMs({ parse, measured = false }: Case, bytes: Buffer): Promise<number> {
  if (measured) return Number(await parse(bytes))
  const [longest, error] = await longestTurnMs(() => parse(bytes))
  const isRefused = error instanceof Fault && error.code !== 'internal'
  assert.ok(error === undefined || isRefused, `threw ${error}`)
  return longest
}

async function check(one: Case, bytes: Buffer): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0 && least > turnMsMax; left -= 1) {
    least = Math.min(least, await measureParseMs(one, bytes))
  }
  assert.ok(least <= turnMsMax, `took ${least} ms`)
}

function fuzz(name: string, caseOf: () => Case | Promise<Case>): void {
  it(name, async () => {
    const one = await caseOf()
    const runs = Math.ceil(numRuns * (one.share ?? 1))
    const inputs = near(one.seeds, one.words, one.bytesMax)
    const property = fc.asyncProperty(inputs, (bytes) => check(one, bytes))
    const { failed, errorInstance, counterexample } = await fc.check(property, {
      seed,
      numRuns: runs,
      endOnFailure: true,
      examples: (one.found ?? []).map((bytes) => [bytes]),
    })
    const [bytes] = counterexample ?? []
    assert.ok(
      !failed,
      `${errorInstance}: ${bytes?.length} bytes, ${bytes?.toString('base64', 0, 600)}`,
    )
  })
}

const text = (parse: (text: string) => unknown) => (bytes: Buffer) => parse(bytes.toString())

describe('mutations of forms and headers are read or refused, within the time of a turn', () => {
  const words = ['&', '=', '%', '%00', '%c3', '+', '\0', '\r\n', ';', '%EF%BB%BF', '__proto__']
  const seeds = ['temperature=21&data_in=%7B%221%22%3A2%7D', 'cik=a&vendor=b&model=c&sn=d\r\n', 'a']
  const bytesMax = deviceApiLimits.activationBodyBytesMax
  fuzz('forms of devices', () => ({
    seeds,
    words,
    bytesMax,
    parse: (bytes) => parseForm(bytes, limits.formFieldsMax),
  }))
  fuzz('forms of endpoints, receipts and reads', () => ({
    seeds,
    words,
    bytesMax,
    parse: text((one) => {
      parseFields(one)
      parseAliases(one, deviceApiLimits.aliasesPerRequestMax)
      formFields(one, limits.formFieldsMax)
    }),
  }))
  fuzz('headers', () => ({
    seeds: ['bytes=0-99', 'Sun, 06 Nov 1994 08:49:37 GMT', 'Basic YTpi', 'Automation abc'],
    words: ['-', ',', 'bytes=', ' ', '9999999999999999999', ':', '=', 'Basic '],
    bytesMax: limits.headerBytesMax,
    parse: text((one) => {
      parseRange(one, 100)
      parseModifiedSince(one)
      parseAuthorization(one)
    }),
  }))
})

describe('mutations of JSON, CSV and YAML are read or refused, within the time of a turn', () => {
  const jsonWords = ['{', '}', '[', ']', '"', '\\', ',', ':', '1e999', '-', 'null', '__proto__']
  fuzz('batches of MQTT', () => ({
    seeds: ['[{"timestamp": 1714000000, "values": {"a": 21.50, "b": "x"}}]', '[{"values": {}}]'],
    words: jsonWords,
    bytesMax: limits.mqttPublishBytesMax,
    parse: text((one) => {
      try {
        parseJson(one)
      } catch {
        return
      }
      quoteNumbers(one, 3)
    }),
  }))
  fuzz('CSV', () => ({
    seeds: [
      'ID,Tags,Expire\r\n"pump-1","[{""name"":""a"",""value"":""b""}]",1\r\n',
      '\uFEFFID\na\n',
    ],
    words: ['"', '""', ',', ';', '\r', '\n', '\0', '\uFEFF', '\t', '=', 'ID', 'PK\x03\x04'],
    bytesMax: 65_536,
    share: 0.1,
    found: [Buffer.from(`ID\n${'a,,,,,,,,\n'.repeat(6_000)}`)],
    parse: async (bytes) => {
      let isHeader = true
      for await (const rows of readRows(Readable.from([bytes], { objectMode: false }))) {
        if (isHeader && rows[0] !== undefined) parseHeader(rows[0])
        isHeader = false
      }
    },
  }))
  const yamlWords = [
    '&a',
    '*a',
    '<<: *a',
    '- ',
    ': ',
    '|',
    '>',
    '!!js',
    '? ',
    '{',
    '[',
    '"',
    '\t',
    '---',
  ]
  const yamlSeeds = [
    'openapi: 3.0.0\ninfo: {title: a, version: "1"}\npaths:\n  /a/{id}:\n    get:\n      ' +
      'operationId: one\n      parameters:\n        - $ref: "#/components/parameters/id"\n',
    '{"swagger": "2.0", "paths": {"/a": {"post": {"operationId": "x", "responses": {}}}}}',
    'a: &a [1, 2]\nb: [*a, *a]\nc: |\n  text\n',
  ]
  fuzz('YAML of services and modules', () => ({
    seeds: yamlSeeds,
    words: yamlWords,
    bytesMax: 20_000,
    parse: text((one) => {
      parseDocument(one)
      const refusals = [
        () => readServiceFile('services/a.yaml', 'a', one),
        () => openDocument(parseDefinition(one)).resolve({ $ref: '#/paths' }),
      ].map((read) => {
        try {
          return read() && undefined
        } catch (error) {
          return error
        }
      })
      const fault = refusals.find((error) => error !== undefined)
      if (fault !== undefined) throw fault
    }),
  }))
})

describe('mutations of certificates are read or refused, within the time of a turn', () => {
  let seeds: { csr: string; ca: string; crl: string }
  const suite = suiteContext()
  before(async () => {
    const openssl = await openOpenssl(suite)
    const ca = await openCa(openssl)
    const crls = await openCrls(openssl, ca)
    const { csr } = await openssl.request({ subject: '/CN=d1' })
    seeds = { csr, ca: ca.pem, crl: await crls.make() }
  })
  const words = [
    '-----BEGIN CERTIFICATE-----\n',
    '-----END CERTIFICATE-----\n',
    '=',
    '\r\n',
    'A',
    '-',
  ]
  const pemToDer = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
  const derToPem = (name: string, der: Buffer) =>
    `-----BEGIN ${name}-----\n${der.toString('base64')}\n-----END ${name}-----\n`
  fuzz('PEM', () => ({
    seeds: [seeds.csr, seeds.ca, seeds.crl],
    words,
    bytesMax: provisioningLimits.csrCharsMax,
    share: 0.5,
    parse: (bytes) => {
      const [one, now] = [bytes.toString(), Date.now()]
      const reads = [
        () => checkCsr(one, 'd1'),
        () => parseClientCa('ca', one),
        () => checkCrl(bytes, seeds.ca, now),
      ]
      for (const read of reads) refusedOrRead(read)
    },
  }))
  fuzz('DER inside of PEM', () => ({
    seeds: [seeds.csr, seeds.ca, seeds.crl].map(pemToDer),
    words: ['0', '0\x80', '0\x84\xff\xff\xff\xff', '\x06\x03', '\x02\x01', '\xa0\x82'],
    bytesMax: provisioningLimits.csrCharsMax / 2,
    share: 0.5,
    parse: (bytes) => {
      const now = Date.now()
      const reads = [
        () => checkCsr(derToPem('CERTIFICATE REQUEST', bytes), 'd1'),
        () => parseClientCa('ca', derToPem('CERTIFICATE', bytes)),
        () => checkCrl(bytes, seeds.ca, now),
      ]
      for (const read of reads) refusedOrRead(read)
    },
  }))
})

/** Runs a reader; its refusal is as good as its result. */
function refusedOrRead(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'internal') throw error
  }
}

describe('mutations of GraphQL and MQTT are read or refused, within the time of a turn', () => {
  fuzz('documents of GraphQL', () => {
    const schema = createSchema({})
    const documents = createDocuments(schema)
    return {
      seeds: [
        'query A($n: Int = 3) { assets(pagination: {limit: $n}) {...F} } fragment F on Asset {id}',
        '{ a: assetCount b: assets { id signals { id name values(limit: 5) { ts value } } } }',
        'mutation { createAsset(input: {name: "a"}) { asset { id } } }',
        'subscription { assetChanged { id } }',
      ],
      words: [
        '{',
        '}',
        '(',
        ')',
        '...',
        '...F',
        '@skip(if: true)',
        '$n',
        '"""',
        '[',
        ':',
        'id',
        '#',
      ],
      bytesMax: 20_000,
      share: 0.5,
      parse: text((one) => {
        const prepared = documents.prepare(one)
        if (!('document' in prepared)) return
        const asked = { document: prepared.document, operationName: undefined, variables: {} }
        refusedOrRead(() => requireAffordable(schema, asked))
        explain(schema, asked)
      }),
    }
  })
  fuzz('packets of MQTT', () => ({
    seeds: [
      Buffer.from([0xc0, 0]),
      Buffer.from('\x82\x0b\x00\x01\x00\x06$resou\x00', 'latin1'),
      Buffer.from('\x32\x0a\x00\x03a/b\x00\x05xyz', 'latin1'),
      Buffer.from('\xa2\x07\x00\x02\x00\x03a/b', 'latin1'),
      Buffer.from([0x40, 2, 0, 1, 0xe0, 0]),
    ],
    words: ['\x00', '\xff', '\x00\x01', '+', '#', '/', '\xc0\x00', '\x10\x0c\x00\x04MQTT\x04\x02'],
    bytesMax: deviceApiLimits.mqttControlBytesMax,
    measured: true,
    parse: longestFloodMs,
  }))
})
