import { ByteReader, signed, unsigned } from './bytes.ts'

const loop = 0x03
const branchTable = 0x0e
const typedSelect = 0x1c
const constant = 0x41
const float32 = 0x43
const float64 = 0x44
const prefixed = 0xfc
/** Behind it. */
const memoryCopy = 10
const memoryFill = 11

/** `[from, to, numbers]`: the opcodes of that range are followed by so many LEB128 numbers. */
const operands: readonly (readonly [number, number, number])[] = [
  [0x00, 0x01, 0], // unreachable, nop
  [0x02, 0x04, 1], // block, loop, if
  [0x05, 0x05, 0], // else
  [0x0b, 0x0b, 0], // end
  [0x0c, 0x0d, 1], // br, br_if
  [0x0f, 0x0f, 0], // return
  [0x10, 0x10, 1], // call
  [0x11, 0x11, 2], // call_indirect
  [0x1a, 0x1b, 0], // drop, select
  [0x20, 0x26, 1], // locals, globals, tables
  [0x28, 0x3e, 2], // loads and stores
  [0x3f, 0x40, 1], // memory.size, memory.grow
  [0x41, 0x42, 1], // i32.const, i64.const
  [0x45, 0xc4, 0], // numeric instructions
]

/** The operands of the instructions behind 0xfc: truncations, and moves of memory. */
const prefixedOperands: readonly (readonly [number, number, number])[] = [
  [0, 7, 0],
  [8, 8, 2],
  [9, 9, 1],
  [10, 10, 2],
  [11, 11, 1],
]

/** The replacements: each is instructions for instructions. */
export type CodeChanges = {
  /** At the head of every loop. */
  readonly check: Uint8Array
  /** For what copies memory, and what fills it. */
  readonly copy: Uint8Array
  readonly fill: Uint8Array
  /** Other values for constants of 32 bits; each stands so often, or it is not what was meant. */
  readonly constants: ReadonlyMap<number, { readonly to: number; readonly times: number }>
  /** Bodies of functions that are appended. */
  readonly appended: readonly Uint8Array[]
}

/** Bytes of one function, from an offset in the section on, and what stands there instead. */
type Edit = { readonly at: number; readonly removed: number; readonly given: Uint8Array }

/**
 * A code section with the changes made. An instruction that is not known throws, and the walk must
 * end exactly at the end of each body: nothing is guessed.
 */
export function changeCode(body: Uint8Array, changes: CodeChanges): Uint8Array {
  const reader = new ByteReader(body)
  const functions = reader.unsigned()
  const { appended, constants } = changes
  const parts: Uint8Array[] = [Uint8Array.from(unsigned(functions + appended.length))]
  const met = new Map<number, number>()
  for (let index = 0; index < functions; index += 1) {
    const end = reader.unsigned() + reader.at
    const start = reader.at
    skipLocals(reader)
    const edits = findEdits(reader, end, changes, met)
    const pieces = edit(body.subarray(start, end), start, edits)
    parts.push(Uint8Array.from(unsigned(sumLengths(pieces))), ...pieces)
  }
  if (reader.at !== body.length) throw new Error('the code section does not end with its functions')
  for (const [value, { times }] of constants) {
    if (met.get(value) !== times) throw new Error(`${value} stands ${met.get(value)} times`)
  }
  for (const one of appended) parts.push(Uint8Array.from(unsigned(one.length)), one)
  return Buffer.concat(parts)
}

function skipLocals(reader: ByteReader): void {
  for (let groups = reader.unsigned(); groups > 0; groups -= 1) {
    reader.unsigned()
    reader.byte()
  }
}

/** Returns the changes up to the end of a function. */
function findEdits(
  reader: ByteReader,
  end: number,
  changes: CodeChanges,
  met: Map<number, number>,
): Edit[] {
  const edits = []
  while (reader.at < end) {
    const at = reader.at
    const opcode = reader.byte()
    const given = opcode === constant ? changedConstant(reader, changes, met) : undefined
    if (opcode !== constant) skipOperands(reader, opcode)
    const removed = reader.at - at
    if (opcode === loop) edits.push({ at: reader.at, removed: 0, given: changes.check })
    else if (opcode === prefixed) {
      const kind = reader.bytes[at + 1]
      if (kind === memoryCopy) edits.push({ at, removed, given: changes.copy })
      if (kind === memoryFill) edits.push({ at, removed, given: changes.fill })
    } else if (given !== undefined) edits.push({ at, removed, given })
  }
  if (reader.at !== end) throw new Error('a function does not end with its last instruction')
  return edits
}

function changedConstant(
  reader: ByteReader,
  { constants }: CodeChanges,
  met: Map<number, number>,
): Uint8Array | undefined {
  const value = reader.signed()
  const found = constants.get(value)
  if (found === undefined) return undefined
  met.set(value, (met.get(value) ?? 0) + 1)
  return Uint8Array.from([constant, ...signed(found.to)])
}

function skipOperands(reader: ByteReader, opcode: number): void {
  if (opcode === float32) reader.skip(4)
  else if (opcode === float64) reader.skip(8)
  else if (opcode === branchTable) skipNumbers(reader, reader.unsigned() + 1)
  else if (opcode === typedSelect) reader.skip(reader.unsigned())
  else if (opcode === prefixed) {
    skipNumbers(reader, countOperands(prefixedOperands, reader.unsigned()))
  } else skipNumbers(reader, countOperands(operands, opcode))
}

function countOperands(table: typeof operands, opcode: number): number {
  const row = table.find(([from, to]) => opcode >= from && opcode <= to)
  if (row === undefined) throw new Error(`unknown instruction 0x${opcode.toString(16)}`)
  return row[2]
}

function skipNumbers(reader: ByteReader, count: number): void {
  for (let left = count; left > 0; left -= 1) reader.skipNumber()
}

function edit(code: Uint8Array, start: number, edits: readonly Edit[]): Uint8Array[] {
  let from = 0
  const pieces = edits.flatMap(({ at, removed, given }) => {
    const kept = code.subarray(from, at - start)
    from = at - start + removed
    return [kept, given]
  })
  return [...pieces, code.subarray(from)]
}

function sumLengths(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
