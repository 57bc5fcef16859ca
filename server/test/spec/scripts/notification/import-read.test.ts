import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineCharsMax, readBindings } from '../../../../../cli/src/bindings/read.ts'
import { rowCharsMax } from '../../../../../cli/src/bindings/scan.ts'

const one = { identity: 'ann "the {first}" [\\', tags: ['a', 'b'], links: { user: 'u' } }
const [first, second, third] = [1, 2, 3].map((n) => ({ ...one, sid: `BS${n}` }))
const meta = { key: 'bindings', url: 'https://notify.example.com/', page: 0 }
const text = (value: unknown) => JSON.stringify(value)
const pretty = (value: unknown) => JSON.stringify(value, null, 2)

/** Reads a text that comes in pieces of so many characters. */
async function read(content: string, size: number) {
  async function* pieces() {
    for (let at = 0; at < content.length; at += size) yield content.slice(at, at + size)
  }
  return Array.fromAsync(readBindings(pieces()))
}

const files: [what: string, content: string][] = [
  ['JSON lines', [first, second, third].map(text).join('\n')],
  ['JSON lines with empty ones', `\n${[first, second, third].map(text).join('\r\n\n')}\n`],
  [
    'pages, one a line',
    `${text({ bindings: [first, second], meta })}\n${text({ bindings: [third] })}`,
  ],
  ['a page, indented', pretty({ meta, bindings: [first, second, third] })],
  ['a page with its bindings first', pretty({ bindings: [first, second, third], meta })],
  [
    'pages one behind the other',
    [[first, second], [third]].map((b) => pretty({ meta, bindings: b })).join(''),
  ],
  ['a list', text([first, second, third])],
  ['a list, indented', pretty([first, second, third])],
  ['a list of one a line', `[\n${[first, second, third].map(text).join(',\n')}\n]`],
  [
    'a list of pages',
    text([
      { meta, bindings: [first] },
      { bindings: [second, third], meta },
    ]),
  ],
]

for (const [what, content] of files) {
  test(`the bindings of an export are found: ${what}`, async () => {
    for (const size of [1, 7, content.length]) {
      const rows = await read(content, size)
      const values = rows.map((row) => ('value' in row ? row.value : row))
      assert.deepEqual(values, [first, second, third], `pieces of ${size}`)
    }
  })
}

test('an export without bindings has none', async () => {
  for (const content of ['', '\n', '[]', text({ meta, bindings: [] })]) {
    assert.deepEqual(await read(content, 3), [], content)
  }
})

test('a list that is broken or cut off gives what it has, and says where', async () => {
  const content = `[\n${text(first)},\n 7, "x,y",\n{"sid": ,},\n[1],\n${text(second)},\n{"sid"`
  const none = 'it is no JSON object'
  for (const size of [1, content.length]) {
    assert.deepEqual(await read(content, size), [
      { line: 2, value: first },
      ...[3, 3, 4, 5].map((line) => ({ line, reason: none })),
      { line: 6, value: second },
      { line: 7, reason: 'the file ends in the middle of it' },
    ])
  }
  const closed = await read(`${pretty([first])}\n]\n${text(second)}`, 5)
  assert.match(text(closed.at(-1)), /it closes what was not opened/)
})

test('what is longer than it may be is named, and not kept', async () => {
  const long = { ...one, pad: 'x'.repeat(rowCharsMax) }
  const rows = await read(pretty([first, long, third]), 1_000)
  assert.deepEqual(
    rows.map((row) => ('reason' in row ? row.reason : row.value)),
    [first, 'it has more than 65536 characters', third],
  )
  const line = 'x'.repeat(lineCharsMax + 1)
  const lines = await read(`${text(first)}\n${line}\n${text(third)}`, 100_000)
  assert.deepEqual(
    lines.map((row) => ('reason' in row ? [row.line, row.reason] : [row.line, row.value])),
    [
      [1, first],
      [2, 'the line has more than 4194304 characters'],
      [3, third],
    ],
  )
})
