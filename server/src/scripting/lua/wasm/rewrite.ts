import { ByteReader, signed, unsigned } from './bytes.ts'
import { checkLoops } from './code.ts'
import { readSections, type Section, sectionIds, sectionOf, writeSections } from './sections.ts'

export type RewriteOptions = {
  /** How often loops may turn between two calls of the tick. */
  readonly loopsPerTick: number
  readonly pagesMin: number
  readonly pagesMax: number
}

export type Rewritten = {
  readonly binary: Uint8Array
  /** The index in the function table at which the host must put its tick. */
  readonly tickSlot: number
}

const i32 = 0x7f
const functionType = 0x60

/**
 * Rewrites Lua's WebAssembly for running scripts that nobody trusts. Every loop, those of the
 * interpreter and those of its C library, counts down one global; when it has run out, the host's
 * tick is called through the table, and may throw. So nothing can run for ever unseen: a hook of
 * Lua's own is not reached from a pattern, from `string.rep` or from `__gc`.
 */
export function rewrite(original: Uint8Array, options: RewriteOptions): Rewritten {
  const sections = readSections(original)
  const tickSlot = tableMin(sectionOf(sections, 'table').body)
  const fuel = countGlobals(sectionOf(sections, 'global').body)
  const tickType = typeWithoutValues(sectionOf(sections, 'type').body)
  assertNoImportedGlobals(sectionOf(sections, 'import').body)
  const check = fuelCheck({ fuel, tickSlot, tickType, loopsPerTick: options.loopsPerTick })
  const bodies: Readonly<Record<number, (body: Uint8Array) => Uint8Array>> = {
    [sectionIds.code]: (body) => checkLoops(body, check),
    [sectionIds.global]: (body) => addGlobal(body, options.loopsPerTick),
    [sectionIds.memory]: () => memoryOf(options.pagesMin, options.pagesMax),
    [sectionIds.data]: printWholeNumbers,
  }
  const rewritten = sections
    .filter(({ id }) => id !== sectionIds.custom)
    .map(({ id, body }): Section => ({ id, body: bodies[id]?.(body) ?? body }))
  return { binary: writeSections(rewritten), tickSlot }
}

/** The table's minimum: the host grows the table by one, and gets just this index. */
function tableMin(body: Uint8Array): number {
  const reader = new ByteReader(body)
  if (reader.unsigned() !== 1) throw new Error('not one table')
  reader.byte()
  reader.byte()
  return reader.unsigned()
}

function countGlobals(body: Uint8Array): number {
  return new ByteReader(body).unsigned()
}

/** The type `() -> ()`. */
function typeWithoutValues(body: Uint8Array): number {
  const reader = new ByteReader(body)
  const types = reader.unsigned()
  for (let index = 0; index < types; index += 1) {
    if (reader.byte() !== functionType) throw new Error('a type that is no function')
    const parameters = reader.unsigned()
    reader.skip(parameters)
    const results = reader.unsigned()
    reader.skip(results)
    if (parameters === 0 && results === 0) return index
  }
  throw new Error('no function type without values')
}

/** Imported globals and tables would shift the indices of our own. */
function assertNoImportedGlobals(body: Uint8Array): void {
  const reader = new ByteReader(body)
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    reader.skip(reader.unsigned())
    reader.skip(reader.unsigned())
    if (reader.byte() !== 0) throw new Error('an import that is no function')
    reader.unsigned()
  }
}

function fuelCheck(of: {
  readonly fuel: number
  readonly tickSlot: number
  readonly tickType: number
  readonly loopsPerTick: number
}): Uint8Array {
  const get = [0x23, ...unsigned(of.fuel)]
  const set = [0x24, ...unsigned(of.fuel)]
  const constant = (value: number) => [0x41, ...signed(value)]
  const subtract = 0x6b
  const lessThan = 0x48
  const ifThen = [0x04, 0x40]
  const callIndirect = [0x11, ...unsigned(of.tickType), 0x00]
  const end = 0x0b
  return Uint8Array.from([
    ...[...get, ...constant(1), subtract, ...set],
    ...[...get, ...constant(0), lessThan, ...ifThen],
    ...[...constant(of.loopsPerTick), ...set],
    ...[...constant(of.tickSlot), ...callIndirect],
    end,
  ])
}

function addGlobal(body: Uint8Array, value: number): Uint8Array {
  const reader = new ByteReader(body)
  const count = reader.unsigned()
  const mutable = 0x01
  return Buffer.concat([
    Uint8Array.from(unsigned(count + 1)),
    body.subarray(reader.at),
    Uint8Array.from([i32, mutable, 0x41, ...signed(value), 0x0b]),
  ])
}

function memoryOf(pagesMin: number, pagesMax: number): Uint8Array {
  const bounded = 0x01
  return Uint8Array.from([1, bounded, ...unsigned(pagesMin), ...unsigned(pagesMax)])
}

/**
 * Lua 5.4 looks whether a float's text consists of these characters alone, and adds `.0`. Without
 * them it never does, so that `10/2` prints `5`, as in Lua 5.1.
 */
function printWholeNumbers(body: Uint8Array): Uint8Array {
  const digits = Buffer.from('-0123456789\0', 'latin1')
  const data = Buffer.from(body)
  const at = data.indexOf(digits)
  if (at < 0 || data.indexOf(digits, at + 1) >= 0) throw new Error('not one text of digits')
  data[at] = 0
  return data
}
