import { ByteReader, unsigned } from './bytes.ts'

const loop = 0x03
const branchTable = 0x0e
const typedSelect = 0x1c
const float32 = 0x43
const float64 = 0x44
const prefixed = 0xfc

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

/** Of the instructions behind 0xfc: truncations, and what moves memory. */
const prefixedOperands: readonly (readonly [number, number, number])[] = [
  [0, 7, 0],
  [8, 8, 2],
  [9, 9, 1],
  [10, 10, 2],
  [11, 11, 1],
]

/**
 * A code section with `check` at the head of every loop. An instruction that is not known throws,
 * and the walk must end exactly at the end of each body: nothing is guessed.
 */
export function checkLoops(body: Uint8Array, check: Uint8Array): Uint8Array {
  const reader = new ByteReader(body)
  const functions = reader.unsigned()
  const parts: Uint8Array[] = [Uint8Array.from(unsigned(functions))]
  for (let index = 0; index < functions; index += 1) {
    const length = reader.unsigned()
    const start = reader.at
    const end = start + length
    skipLocals(reader)
    const heads = loopHeads(reader, end)
    parts.push(Uint8Array.from(unsigned(length + heads.length * check.length)))
    parts.push(...insertAt(body.subarray(start, end), heads, start, check))
  }
  if (reader.at !== body.length) throw new Error('the code section does not end with its functions')
  return Buffer.concat(parts)
}

function skipLocals(reader: ByteReader): void {
  for (let groups = reader.unsigned(); groups > 0; groups -= 1) {
    reader.unsigned()
    reader.byte()
  }
}

/** Where the bodies of loops begin, up to the end of the function. */
function loopHeads(reader: ByteReader, end: number): number[] {
  const heads = []
  while (reader.at < end) {
    const opcode = reader.byte()
    skipOperands(reader, opcode)
    if (opcode === loop) heads.push(reader.at)
  }
  if (reader.at !== end) throw new Error('a function does not end with its last instruction')
  return heads
}

function skipOperands(reader: ByteReader, opcode: number): void {
  if (opcode === float32) reader.skip(4)
  else if (opcode === float64) reader.skip(8)
  else if (opcode === branchTable) skipNumbers(reader, reader.unsigned() + 1)
  else if (opcode === typedSelect) reader.skip(reader.unsigned())
  else if (opcode === prefixed) {
    skipNumbers(reader, numbersOf(prefixedOperands, reader.unsigned()))
  } else skipNumbers(reader, numbersOf(operands, opcode))
}

function numbersOf(table: typeof operands, opcode: number): number {
  const row = table.find(([from, to]) => opcode >= from && opcode <= to)
  if (row === undefined) throw new Error(`unknown instruction 0x${opcode.toString(16)}`)
  return row[2]
}

function skipNumbers(reader: ByteReader, count: number): void {
  for (let left = count; left > 0; left -= 1) reader.skipNumber()
}

function insertAt(
  code: Uint8Array,
  heads: readonly number[],
  start: number,
  check: Uint8Array,
): Uint8Array[] {
  const cuts = [start, ...heads].map((head) => head - start)
  return cuts.flatMap((from, index) => {
    const piece = code.subarray(from, cuts[index + 1] ?? code.length)
    return index === 0 ? [piece] : [check, piece]
  })
}
