import { Readable } from 'node:stream'
import { createDocuments } from '../server/src/api/graphql/execution/documents.ts'
import { requireAffordable } from '../server/src/api/graphql/limits/check-cost.ts'
import { createSchema } from '../server/src/api/graphql/schema.ts'
import { createBodyParser } from '../server/src/api/management/contract/validation.ts'
import { isStream } from '../server/src/api/management/index.ts'
import { createReport } from '../server/src/api/management/operations/assets/reports.ts'
import { parseForm } from '../server/src/devices/device-api/http/form.ts'
import { readRows } from '../server/src/devices/provisioning/bulk/csv.ts'
import { parseOneCertificate } from '../server/src/devices/provisioning/certificates/client-ca.ts'
import { parseConnectorFile } from '../server/src/devices/provisioning/connectors/definition.ts'
import { provisioningLimits } from '../server/src/devices/provisioning/index.ts'
import { checkJson, limits, parseJson } from '../server/src/foundation/kernel/index.ts'
import { readTolerantly } from '../server/src/insight/marketplace/definition/read.ts'
import { marketplaceLimits } from '../server/src/insight/marketplace/index.ts'
import { planChange } from '../server/src/insight/pipelines/document/plan.ts'
import { pipelineLimits } from '../server/src/insight/pipelines/index.ts'
import { scriptingLimits } from '../server/src/scripts/scripting/index.ts'
import { splitFile } from '../server/src/scripts/scripting/registry/headers.ts'
import { parseList } from '../server/src/scripts/services/notification/sending/arguments.ts'
import { readDefinition } from '../server/src/scripts/services/openapi/definition.ts'
import { parseDefinition } from '../server/src/scripts/services/openapi/document.ts'
import { tsdbOperations } from '../server/src/scripts/services/tsdb/operations.ts'
import { defineBench } from './support/frame/bench.ts'
import { median, print, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'
import { longestTurnMs } from './support/frame/turns.ts'

/** A tenant's document of the largest size, and the work on it. */
type Case = readonly [name: string, input: string, work: (input: string) => unknown]

/** JSON.parse of a few characters takes less than a step of the clock. */
const parses = 50
const list = <Item>(length: number, make: (at: number) => Item) =>
  Array.from({ length }, (_, at) => make(at))
const makeObject = (length: number, name: string, value: (at: number) => unknown) =>
  Object.fromEntries(list(length, (at) => [`${name}${at}`, value(at)]))
const fill = (piece: string, chars: number) => piece.repeat(Math.floor(chars / piece.length))

const schema = createSchema({})
const prepare = (text: string) => createDocuments(schema).prepare(text)
const given = createDocuments(schema).prepare(
  'query($given: AssetFilters) { assets(filters: $given) { id } }',
)

function estimate(json: string): unknown {
  if (!('document' in given)) throw new Error('the document is not valid')
  const { document } = given
  const variables = { given: parseJson(json) }
  return requireAffordable(schema, { document, operationName: undefined, variables })
}

function readService(text: string): unknown {
  const parts = { baseUrl: 'https://cloud.example', events: [], prefixes: [], note: () => {} }
  return readDefinition({ definition: parseDefinition(text), ...parts })
}

const readModule = (text: string) => readTolerantly('https://module.example', text, ['x-vendor-'])
const readConnector = (json: string) =>
  parseConnectorFile(parseJson(json) as Readonly<Record<string, unknown>>)

async function readCsv(text: string): Promise<void> {
  for await (const _ of readRows(Readable.from([Buffer.from(text)])));
}

/** Arguments of `multiWrite`, as a script hands them over. */
function pointsCase(name: string, datapoints: readonly unknown[]): Case {
  const given = { datapoints }
  return [
    `values over time, ${name}`,
    JSON.stringify(given),
    () => tsdbOperations.parse('multiWrite', given, () => {}),
  ]
}

function reportCase(name: string, signals: readonly unknown[]): Case {
  const { body } = createReport.details()
  if (body === undefined || isStream(body)) throw new Error('a report is asked for in JSON')
  const given = { start: 0, end: 1, signals }
  return [`report, ${name}`, JSON.stringify(given), () => createBodyParser(body)(given)]
}

/** Plans a pipeline of a function with one inlet and one outlet. */
function planPipeline(json: string): unknown {
  const port = { name: 'port', primitive_type: 'NUMERIC' } as const
  const base = { id: 'scale', name: 'Scale', description: '', constants: [] }
  const insight = { ...base, type: 'transform' as const, inlets: [port], outlets: [port] }
  const signal = { id: 'in', name: 'in', primitiveType: 'NUMERIC', description: '', source: null }
  const given = { businessId: 'b', assetId: 'a', links: [], signals: [signal], nowUs: 0 }
  const ids = list(2 * limits.linksPerAssetMax, String).values()
  const newId = () => ids.next().value ?? ''
  const input = { ...given, change: JSON.parse(json), find: () => insight, newId }
  return planChange(input as unknown as Parameters<typeof planChange>[0])
}

/** Links with as many checks each as there may be. */
function pipelineCase(name: string, check: object): Case {
  const checks = list(pipelineLimits.linkChecksMax, () => ({ inlet: 0, ...check }))
  const link = { moduleId: 'm', functionId: 'scale', inlets: [{ signalId: 'in' }], checks }
  const links = list(limits.linksPerAssetMax, (at) => ({ ...link, name: `${at}` }))
  return [`pipeline, checks of ${name}`, JSON.stringify({ links }), planPipeline]
}

const { definitionReferencesMax: references } = marketplaceLimits
const { yamlIndicatorsMax: indicators } = limits
const mib = 2 ** 20
const lines = '\n'.repeat(limits.graphqlBodyBytesMax - 10_000)
const fields = list(900, (at) => `asset${at}`).join(' ')
const inputs = list(1_200, (at) => `f${at}: 1`).join(' ')
const circle = makeObject(references, 'D', (at) => {
  return { x: { $ref: `#/definitions/D${(at + 1) % references}` } }
})
const shared = {
  openapi: '3.0.3',
  security: list(5_000, () => ({ key: [] })),
  paths: makeObject(2_000, '/', (at) => ({ get: { operationId: `get${at}` } })),
}

const cases: readonly Case[] = [
  ['GraphQL, lines before unknown fields', `${lines}{ ${fields} }`, prepare],
  ['GraphQL, unknown fields of an argument', `{ assets(filters: {${inputs}}) { id } }`, prepare],
  [
    'GraphQL, unknown fields of a variable',
    JSON.stringify(makeObject(4_990, 'f', () => 1)),
    estimate,
  ],
  ['YAML, too many keys', fill('key:\n', marketplaceLimits.definitionBytesMax), readModule],
  [
    'YAML, as many keys as there may be',
    list(indicators, (at) => `${at}`.padEnd(18, 'x'))
      .join(':\n')
      .concat(':'),
    readModule,
  ],
  [
    'definition, references in a circle',
    JSON.stringify({ paths: {}, definitions: circle }),
    readModule,
  ],
  [
    'definition, paths',
    JSON.stringify({ paths: makeObject(4_990, '/', () => ({ get: { operationId: 'a' } })) }),
    readModule,
  ],
  ['YAML, directives', fill('%A 1\n', mib), readService],
  ['YAML, too many lines', `a: ${fill('x\n  ', mib)}`, readService],
  ['YAML, as many lines as there may be', `a: ${fill('x234567\n  ', mib)}`, readService],
  pipelineCase('a number', { type: 'number', minimum: 0, maximum: 1 }),
  pipelineCase('a time', { type: 'time', from: '10:00', timeZone: 'Europe/Berlin' }),
  [
    'certificate, unreadable',
    `-----BEGIN CERTIFICATE-----\n${fill('MIIB', provisioningLimits.certificateCharsMax - 60)}\n` +
      '-----END CERTIFICATE-----',
    (text) => parseOneCertificate('ca', text),
  ],
  ['OpenAPI service, shared security', JSON.stringify(shared), readService],
  [
    'connector file, refused resources',
    JSON.stringify({ resources: makeObject(4_990, 'r', () => ({ format: 5 })) }),
    readConnector,
  ],
  [
    'Lua, headers of one handler',
    fill('--#EVENT device2 event\n', 22 * scriptingLimits.scriptFileLinesMax),
    (text) => splitFile('events/a.lua', text),
  ],
  ['CSV, a row of empty cells', `ID\n${fill(',', provisioningLimits.csvRowBytesMax)}`, readCsv],
  [
    'form of a device, plus signs',
    `a=%41${fill('+', limits.deviceBodyBytesMax - 10)}`,
    (text) => parseForm(Buffer.from(text), limits.formFieldsMax),
  ],
  [
    'notification, tags as a text',
    fill('a,', limits.scriptValueBytesMax),
    (text) => parseList('Tag', text),
  ],
  pointsCase('the last is wrong', [
    ...list(4_990, () => ({ metrics: { a: 1 }, tags: makeObject(6, 't', () => 'x') })),
    { metrics: { a: {} } },
  ]),
  pointsCase(
    'unknown fields',
    list(480, () => makeObject(100, 'k', () => 1)),
  ),
  pointsCase('a table of metrics', [{ metrics: makeObject(49_000, 'k', () => 1) }]),
  reportCase(
    'unknown fields',
    list(5_000, () => ({ id: 'a', x: 1 })),
  ),
  reportCase(
    'no signals',
    list(19_990, () => 1),
  ),
  ['JSON body, escaped quotes', `"${fill('\\"', limits.managementBodyBytesMax)}"`, checkJson],
]

export const bench = defineBench({
  name: 'worst-inputs',
  title: ({ rounds }) => `Worst documents of tenants, ${rounds} rounds`,
  options: { rounds: 10 },
  goals: {
    held: { subject: 'the longest turn for a document of a tenant', unit: 'ms', atMost: 20 },
  },
  alone: true,
  async measure({ given: { rounds }, record }) {
    const rows: { name: string; chars: number; held: number[]; ratio: number }[] = []
    for (const [name, input, work] of cases) {
      const numbers = `[${fill('1,', input.length)}1]`
      const held = await measureTurns(() => work(input), rounds)
      const parsed = await measureTurns(() => list(parses, () => JSON.parse(numbers)), rounds)
      const ratio = (median(held) / median(parsed)) * parses
      rows.push({ name, chars: input.length, held, ratio })
    }
    const shown = rows.map(({ name, chars, held, ratio }) => {
      return [name, `${chars}`, twoPlaces(median(held)), twoPlaces(ratio)]
    })
    print(
      table([
        ['document', 'characters', 'ms of CPU', 'times JSON.parse of as many characters'],
        ...shown,
      ]),
    )
    const [worst] = rows.toSorted((one, other) => median(other.held) - median(one.held))
    record('held', { figure: worst?.held ?? [] })
  },
})

/** Milliseconds of CPU of the longest turn of the event loop, a number each time. */
async function measureTurns(work: () => unknown, times: number): Promise<number[]> {
  const all: number[] = []
  for (let left = times; left > 0; left -= 1) all.push((await longestTurnMs(work))[0])
  return all
}

if (import.meta.main) await runBench(bench)
