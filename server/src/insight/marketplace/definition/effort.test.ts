import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { threadMs } from '../../../foundation/kernel/index.ts'
import { marketplaceLimits } from '../limits.ts'
import { readTolerantly } from './read.ts'

/** CPU of this thread, which other programs of the machine do not change. */
const cpuMsMax = 200
const { definitionBytesMax: bytes } = marketplaceLimits

/** As often as it fits in a definition. */
const filled = (unit: string, head = '', tail = '') =>
  `${head}${unit.repeat(Math.floor((bytes - head.length - tail.length) / unit.length))}${tail}`

/** References of which each leads to the next, and the last one to the first. */
function circle(): string {
  const count = marketplaceLimits.definitionReferencesMax
  const definitions = Array.from({ length: count }, (_, at) => {
    return [`D${at}`, { x: { $ref: `#/definitions/D${(at + 1) % count}` } }]
  })
  return JSON.stringify({ paths: {}, definitions: Object.fromEntries(definitions) })
}

/** References of which each object contains all: each to each. */
function web(): string {
  const count = Math.floor(Math.sqrt(marketplaceLimits.definitionReferencesMax))
  const names = Array.from({ length: count }, (_, at) => `D${at}`)
  const refs = names.map((name) => ({ $ref: `#/definitions/${name}` }))
  const definitions = Object.fromEntries(names.map((name) => [name, { allOf: refs }]))
  return JSON.stringify({ paths: {}, definitions })
}

const anchors = Array.from({ length: 9 }, (_, at) => {
  return `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`
})

const texts: readonly [what: string, text: () => string][] = [
  ['10 MB', () => 'x'.repeat(10 * 1024 * 1024)],
  ['10 MB of JSON', () => `[${'1,'.repeat(5 * 1024 * 1024)}1]`],
  ['thousands of aliases', () => filled('*a, ', 'a: &a 1\nb: [', ']')],
  ['aliases of aliases', () => ['a0: &a0 [x]', ...anchors].join('\n')],
  ['thousands of anchors', () => filled('- &a 1\n')],
  ['brackets', () => filled('[')],
  ['braces of JSON', () => filled('{"a":')],
  ['maps', () => filled('{a: ', 'a: ')],
  ['lists in lists', () => filled('- ')],
  ['keys', () => filled('? ')],
  ['quotes', () => filled(`'`)],
  ['escapes', () => filled('\\u0041', '"', '"')],
  ['tags', () => filled('!!str ')],
  ['comments', () => filled('#\n')],
  ['documents', () => filled('---\n')],
  ['spaces', () => filled(' ')],
  ['block texts', () => filled('a: |\n b\n')],
  [
    'names',
    () => `paths: {}\n${Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join('')}`,
  ],
  ['references in a circle', circle],
  ['references of each to each', web],
  ['problems', () => `paths: {}\nx-vendor-config-parameters:\n${'- 1\n'.repeat(40_000)}`],
]

describe('a definition that is hard to read', () => {
  for (const [what, text] of texts) {
    it(`takes less than 200 ms of CPU: ${what}`, () => {
      const given = text()
      const beforeMs = threadMs()
      const { problems } = readTolerantly('https://module.example', given, ['x-vendor-'])
      const usedMs = threadMs() - beforeMs
      assert.ok(problems.length > 0, 'it is wrong')
      assert.ok(usedMs < cpuMsMax, `${usedMs} ms`)
    })
  }
})
