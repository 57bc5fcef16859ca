import { ByteReader, signed, unsigned } from './bytes.ts'
import { changeCode } from './code.ts'
import { findSection, readSections, type Section, sectionIds, writeSections } from './sections.ts'

export type RewriteOptions = {
  /** The number of turns that loops may take between two calls of the tick. */
  readonly loopsPerTick: number
  /** Bytes of memory that are copied or filled for what one turn of a loop costs. */
  readonly bytesPerLoop: number
  /** Slots of Lua's stack, in place of its `LUAI_MAXSTACK`. */
  readonly stackSlotsMax: number
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
const call = 0x10
const end = 0x0b
const memoryCopy = [0xfc, 10, 0, 0]
const memoryFill = [0xfc, 11, 0]
const constant = (value: number) => [0x41, ...signed(value)]

/**
 * The limit of Lua's stack, and the constants near it as the compiler wrote them, each so often.
 */
const stackSlots = 1_000_000
const stackConstants = [
  { off: -1, times: 2 },
  { off: 0, times: 6 },
  { off: 200, times: 1 },
]

/**
 * Rewrites Lua's WebAssembly to run untrusted scripts. Every loop, those of the
 * interpreter and those of its C library, counts down one global, and so does every copy of memory
 * by its size; when it has run out, the host's tick is called through the table, and may throw. So
 * nothing can run for ever unseen: a hook of Lua's own is not reached from a pattern, from
 * `string.rep` or from `__gc`.
 */
export function rewrite(original: Uint8Array, options: RewriteOptions): Rewritten {
  const sections = readSections(original)
  const tickSlot = tableMin(findSection(sections, 'table').body)
  const fuel = readCount(findSection(sections, 'global').body)
  const types = readTypes(findSection(sections, 'type').body)
  const tickType = findType(types, '>')
  const bulkType = findType(types, 'iii>')
  const imports = countImports(findSection(sections, 'import').body)
  const functions = imports + readCount(findSection(sections, 'function').body)
  const burn = burnWith({ fuel, tickSlot, tickType, loopsPerTick: options.loopsPerTick })
  const changes = {
    check: Uint8Array.from(burn(constant(1))),
    copy: Uint8Array.from([call, ...unsigned(functions)]),
    fill: Uint8Array.from([call, ...unsigned(functions + 1)]),
    constants: new Map(
      stackConstants.map(({ off, times }) => {
        return [stackSlots + off, { to: options.stackSlotsMax + off, times }]
      }),
    ),
    appended: [memoryCopy, memoryFill].map((instruction) =>
      bulkBody(burn, instruction, options.bytesPerLoop),
    ),
  }
  const bodies: Readonly<Record<number, (body: Uint8Array) => Uint8Array>> = {
    [sectionIds.function]: (body) => append(body, [bulkType, bulkType].map(unsigned)),
    [sectionIds.code]: (body) => changeCode(body, changes),
    [sectionIds.global]: (body) => addGlobal(body, options.loopsPerTick),
    [sectionIds.memory]: () => encodeMemory(options.pagesMin, options.pagesMax),
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

/** Returns the number of items of a section. */
function readCount(body: Uint8Array): number {
  return new ByteReader(body).unsigned()
}

/** Each type's parameters and results, `i` for one of 32 bits. */
function readTypes(body: Uint8Array): string[] {
  const reader = new ByteReader(body)
  const values = () =>
    Array.from({ length: reader.unsigned() }, () => (reader.byte() === i32 ? 'i' : '?')).join('')
  return Array.from({ length: reader.unsigned() }, () => {
    if (reader.byte() !== functionType) throw new Error('a type that is no function')
    return `${values()}>${values()}`
  })
}

function findType(types: readonly string[], wanted: string): number {
  const at = types.indexOf(wanted)
  if (at < 0) throw new Error(`no function of the type ${wanted}`)
  return at
}

/** Imported globals and tables would shift the indices of our own. */
function countImports(body: Uint8Array): number {
  const reader = new ByteReader(body)
  const count = reader.unsigned()
  for (let left = count; left > 0; left -= 1) {
    reader.skip(reader.unsigned())
    reader.skip(reader.unsigned())
    if (reader.byte() !== 0) throw new Error('an import that is no function')
    reader.unsigned()
  }
  return count
}

type Fuel = {
  readonly fuel: number
  readonly tickSlot: number
  readonly tickType: number
  readonly loopsPerTick: number
}

type Burn = (cost: readonly number[]) => number[]

/** Instructions that take from the fuel what the instructions given leave on the stack. */
function burnWith(of: Fuel): Burn {
  const get = [0x23, ...unsigned(of.fuel)]
  const set = [0x24, ...unsigned(of.fuel)]
  const subtract = 0x6b
  const lessThan = 0x48
  const ifThen = [0x04, 0x40]
  const callIndirect = [0x11, ...unsigned(of.tickType), 0x00]
  return (cost) => [
    ...get,
    ...cost,
    subtract,
    ...set,
    ...get,
    ...constant(0),
    lessThan,
    ...ifThen,
    ...constant(of.loopsPerTick),
    ...set,
    ...constant(of.tickSlot),
    ...callIndirect,
    end,
  ]
}

/** A function that copies or fills memory as the instruction does, and burns fuel for its size. */
function bulkBody(burn: Burn, instruction: readonly number[], bytesPerLoop: number): Uint8Array {
  const local = (index: number) => [0x20, index]
  const divide = 0x6e
  const cost = [...local(2), ...constant(bytesPerLoop), divide]
  const noLocals = 0
  return Uint8Array.from([
    noLocals,
    ...burn(cost),
    ...local(0),
    ...local(1),
    ...local(2),
    ...instruction,
    end,
  ])
}

function addGlobal(body: Uint8Array, value: number): Uint8Array {
  const mutable = 0x01
  return append(body, [[i32, mutable, ...constant(value), end]])
}

/** A section that counts what it holds, with more at its end. */
function append(body: Uint8Array, more: readonly (readonly number[])[]): Uint8Array {
  const reader = new ByteReader(body)
  const count = reader.unsigned()
  const head = Uint8Array.from(unsigned(count + more.length))
  return Buffer.concat([head, body.subarray(reader.at), Uint8Array.from(more.flat())])
}

function encodeMemory(pagesMin: number, pagesMax: number): Uint8Array {
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
