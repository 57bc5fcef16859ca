import { createDocuments } from '../server/src/graphql/execution/documents.ts'
import { requireAffordable } from '../server/src/graphql/limits/check-cost.ts'
import { createSchema } from '../server/src/graphql/schema.ts'
import { checkJson, limits, parseJson } from '../server/src/kernel/index.ts'
import { parseConnectorFile } from '../server/src/management/wire/definition.ts'
import { readTolerantly } from '../server/src/marketplace/definition/read.ts'
import { splitFile } from '../server/src/scripting/registry/headers.ts'
import { readDefinition } from '../server/src/services/openapi/definition.ts'
import { parseDefinition } from '../server/src/services/openapi/document.ts'
import { defineBench } from './support/frame/bench.ts'
import { median, print, table, twoPlaces } from './support/frame/figures.ts'
import { runBench } from './support/frame/run.ts'

/** A tenant's document of the largest size, and the work on it that is done in one turn. */
type Case = readonly [name: string, input: string, work: (input: string) => unknown]

const usPerMs = 1_000
/** JSON.parse of a few characters takes less than a step of the clock. */
const parses = 50
const list = <Item>(length: number, make: (at: number) => Item) =>
  Array.from({ length }, (_, at) => make(at))
const objectOf = (length: number, name: string, value: (at: number) => unknown) =>
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

const { definitionReferencesMax: references, yamlIndicatorsMax: indicators } = limits
const lines = '\n'.repeat(limits.graphqlBodyBytesMax - 10_000)
const fields = list(900, (at) => `asset${at}`).join(' ')
const inputs = list(1_200, (at) => `f${at}: 1`).join(' ')
const circle = objectOf(references, 'D', (at) => {
  return { x: { $ref: `#/definitions/D${(at + 1) % references}` } }
})
const shared = {
  openapi: '3.0.3',
  security: list(5_000, () => ({ key: [] })),
  paths: objectOf(2_000, '/', (at) => ({ get: { operationId: `get${at}` } })),
}

const cases: readonly Case[] = [
  ['GraphQL, lines before unknown fields', `${lines}{ ${fields} }`, prepare],
  ['GraphQL, unknown fields of an argument', `{ assets(filters: {${inputs}}) { id } }`, prepare],
  [
    'GraphQL, unknown fields of a variable',
    JSON.stringify(objectOf(4_990, 'f', () => 1)),
    estimate,
  ],
  ['YAML, too many keys', fill('key:\n', limits.definitionBytesMax), readModule],
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
    JSON.stringify({ paths: objectOf(4_990, '/', () => ({ get: { operationId: 'a' } })) }),
    readModule,
  ],
  ['OpenAPI service, shared security', JSON.stringify(shared), readService],
  [
    'connector file, refused resources',
    JSON.stringify({ resources: objectOf(4_990, 'r', () => ({ format: 5 })) }),
    readConnector,
  ],
  [
    'Lua, headers of one handler',
    fill('--#EVENT device2 event\n', 22 * limits.scriptFileLinesMax),
    (text) => splitFile('events/a.lua', text),
  ],
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
    const rows = cases.map(([name, input, work]) => {
      const numbers = `[${fill('1,', input.length)}1]`
      const held = timesOf(() => work(input), rounds)
      const parsed = timesOf(() => list(parses, () => JSON.parse(numbers)), rounds)
      const ratio = (median(held) / median(parsed)) * parses
      return { name, chars: input.length, held, ratio }
    })
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

/** Milliseconds of this thread's CPU, a number each time. */
function timesOf(work: () => unknown, times: number): number[] {
  return list(times, () => {
    const before = process.threadCpuUsage()
    try {
      work()
    } catch {
      // A refusal takes time, too.
    }
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / usPerMs
  })
}

if (import.meta.main) await runBench(bench)
