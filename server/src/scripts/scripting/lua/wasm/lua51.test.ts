import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { assemble } from './assemble.ts'
import { asLua51, patches } from './lua51.ts'

const { resolve } = createRequire(import.meta.url)
const original = readFileSync(resolve('wasmoon/dist/glue.wasm'))

test('the patched binary is valid WebAssembly', () => {
  assert(new WebAssembly.Module(asLua51(original)) instanceof WebAssembly.Module)
})

test('a binary in which a patch does not find its instructions is refused', () => {
  assert.throws(() => asLua51(asLua51(original)), /cannot patch: /)
})

test('each patch has its reason', () => {
  const reasons = patches.map(({ why }) => why)
  assert.equal(new Set(reasons).size, patches.length)
})

test('instructions are assembled as the specification of WebAssembly encodes them', () => {
  const functions = new Map([['f', 200]])
  const bytes = assemble(
    'local.get 3; i32.const -1; i32.const 64; i64.const 128; i32.load offset=300; call $f; end',
    functions,
  )
  assert.deepEqual(bytes, [
    ...[0x20, 3, 0x41, 0x7f, 0x41, 0xc0, 0, 0x42, 0x80, 1, 0x28, 2, 0xac, 2, 0x10, 0xc8, 1, 0x0b],
  ])
  assert.throws(() => assemble('call $g', functions), /no function "\$g"/)
  assert.throws(() => assemble('i32.div_s', functions), /no instruction "i32.div_s"/)
})
