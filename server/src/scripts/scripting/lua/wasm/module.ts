import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { limits } from '../../../../foundation/kernel/thread/index.ts'
import { importsFor } from './imports.ts'
import { asLua51 } from './lua51.ts'
import { rewrite } from './rewrite.ts'

/**
 * Turns of the engine's loops between two checks of the clock and the CPU used: one tick. 64 bytes
 * that are copied count as one turn.
 */
const scriptLoopsPerTick = 20_000
/**
 * Slots of the stack of one coroutine; a call takes a few of them. Past it a recursion ends with
 * the error "stack overflow". LuaJIT has 65,500.
 */
const scriptStackSlotsMax = 100_000

const require = createRequire(import.meta.url)

export type CompiledLua = {
  readonly module: WebAssembly.Module
  readonly tickSlot: number
}

/** The digest of the `glue.wasm` that was read, measured and attacked; another one is not run. */
const sha256 = '95f3f19ddb740125883bc41d5ec670cd0828e7b58c8bdad385323cbff497b55c'
/** A copy of 1.3 MB is a tick. */
const bytesPerLoop = 64
const pageBytes = 65_536
/** Enough for Lua and its prelude; the binary itself declares 256. */
const pagesAtStart = 24

/** Lua's WebAssembly of the package wasmoon, without its JavaScript, rewritten and compiled. */
export function compileLua(): CompiledLua {
  const binary = readFileSync(require.resolve('wasmoon/dist/glue.wasm'))
  const found = createHash('sha256').update(binary).digest('hex')
  if (found !== sha256) throw new Error(`glue.wasm has the sha256 ${found}, not ${sha256}`)
  const rewritten = rewrite(asLua51(binary), {
    loopsPerTick: scriptLoopsPerTick,
    bytesPerLoop,
    stackSlotsMax: scriptStackSlotsMax,
    pagesMin: pagesAtStart,
    pagesMax: Math.ceil(limits.scriptMemoryBytesMax / pageBytes),
  })
  const module = new WebAssembly.Module(rewritten.binary)
  assertImports(module)
  return { module, tickSlot: rewritten.tickSlot }
}

/** Exactly the imports that we give: a new binary cannot import anything else. */
function assertImports(module: WebAssembly.Module): void {
  const world = { grow: () => false, call: () => false, seed: () => 0 }
  const given = Object.entries(importsFor(world, () => undefined)).flatMap(([space, functions]) =>
    Object.keys(functions).map((name) => `${space} ${name} function`),
  )
  const asked = WebAssembly.Module.imports(module).map(
    (one) => `${one.module} ${one.name} ${one.kind}`,
  )
  const differ = new Set(given).symmetricDifference(new Set(asked))
  if (differ.size > 0) throw new Error(`glue.wasm imports other things: ${[...differ].join(', ')}`)
}
