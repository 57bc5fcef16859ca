import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { rewrite } from './rewrite.ts'
import { findSection, readSections, sectionIds, writeSections } from './sections.ts'

const { resolve } = createRequire(import.meta.url)
const original = readFileSync(resolve('wasmoon/dist/glue.wasm'))
const options = {
  loopsPerTick: 1_000,
  bytesPerLoop: 64,
  stackSlotsMax: 200_000,
  pagesMin: 24,
  pagesMax: 512,
}

function changed(name: keyof typeof sectionIds, change: (body: Buffer) => Uint8Array): Uint8Array {
  const sections = readSections(original)
  const { id, body } = findSection(sections, name)
  return writeSections(
    sections.map((one) => (one.id === id ? { id, body: change(Buffer.from(body)) } : one)),
  )
}

test('the rewritten binary is valid, and has the requested memory', () => {
  const { binary, tickSlot } = rewrite(original, options)
  assert(new WebAssembly.Module(binary) instanceof WebAssembly.Module)
  const sections = readSections(binary)
  assert.deepEqual([...findSection(sections, 'memory').body], [1, 1, 24, 0x80, 0x04])
  assert(sections.every(({ id }) => id !== sectionIds.custom))
  assert(tickSlot > 0)
})

test('sections that are written are those that were read', () => {
  assert.deepEqual(Buffer.from(writeSections(readSections(original))), original)
})

test('what is not understood is refused, not guessed', () => {
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [original.subarray(0, -1), /section is cut off/],
    [original.subarray(4), /not WebAssembly/],
    [changed('code', (body) => body.subarray(0, -1)), /ends too early|does not end/],
    [changed('code', (body) => Buffer.concat([body, Buffer.of(0x0b)])), /does not end/],
    [changed('code', withUnknownInstruction), /unknown instruction 0xff/],
    [changed('data', () => Buffer.of(0)), /not one text of digits/],
    [changed('data', (body) => Buffer.concat([body, body])), /not one text of digits/],
    [changed('type', () => Buffer.of(1, 0x60, 1, 0x7f, 0)), /no function of the type >/],
    [changed('import', () => Buffer.of(1, 1, 0x65, 1, 0x67, 3, 0x7f, 0)), /no function/],
    [changed('table', () => Buffer.of(2, 0x70, 0, 1, 0x70, 0, 1)), /not one table/],
  ]
  for (const [binary, error] of cases) assert.throws(() => rewrite(binary, options), error)
})

/** A code section of one function, whose first instruction is unknown. */
function withUnknownInstruction(): Uint8Array {
  return Uint8Array.of(1, 3, 0, 0xff, 0x0b)
}
