import { unsigned } from './bytes.ts'

/** The operand of an opcode: an index is unsigned, a constant signed. */
type Operand = 'none' | 'index' | 'i32' | 'i64'

/** The instructions that patches use. */
const instructions: Readonly<Record<string, readonly [number, Operand]>> = {
  unreachable: [0x00, 'none'],
  else: [0x05, 'none'],
  end: [0x0b, 'none'],
  br: [0x0c, 'index'],
  br_if: [0x0d, 'index'],
  return: [0x0f, 'none'],
  drop: [0x1a, 'none'],
  select: [0x1b, 'none'],
  'local.get': [0x20, 'index'],
  'local.set': [0x21, 'index'],
  'local.tee': [0x22, 'index'],
  'global.set': [0x24, 'index'],
  'i32.const': [0x41, 'i32'],
  'i64.const': [0x42, 'i64'],
  'i32.eqz': [0x45, 'none'],
  'i32.eq': [0x46, 'none'],
  'i32.ne': [0x47, 'none'],
  'i32.lt_s': [0x48, 'none'],
  'i32.lt_u': [0x49, 'none'],
  'i32.gt_u': [0x4b, 'none'],
  'i32.le_s': [0x4c, 'none'],
  'i32.ge_s': [0x4e, 'none'],
  'i32.ge_u': [0x4f, 'none'],
  'i64.eq': [0x51, 'none'],
  'i64.ne': [0x52, 'none'],
  'i64.lt_u': [0x54, 'none'],
  'i64.le_u': [0x58, 'none'],
  'f64.ne': [0x62, 'none'],
  'i32.add': [0x6a, 'none'],
  'i32.sub': [0x6b, 'none'],
  'i32.mul': [0x6c, 'none'],
  'i32.and': [0x71, 'none'],
  'i32.or': [0x72, 'none'],
  'i32.shl': [0x74, 'none'],
  'i64.sub': [0x7d, 'none'],
  'f64.floor': [0x9c, 'none'],
  'f64.trunc': [0x9d, 'none'],
  'i64.extend_i32_s': [0xac, 'none'],
}

/** Loads and stores, with the alignment that the compiler wrote. */
const memory: Readonly<Record<string, readonly [number, number]>> = {
  'i32.load': [0x28, 2],
  'i64.load': [0x29, 3],
  'i32.load8_u': [0x2d, 0],
  'i32.store': [0x36, 2],
  'i64.store': [0x37, 3],
  'i32.store8': [0x3a, 0],
}

const controls: Readonly<Record<string, readonly number[]>> = {
  block: [0x02, 0x40],
  if: [0x04, 0x40],
  if_i32: [0x04, 0x7f],
  loop: [0x03, 0x40],
}

/**
 * Assembles instructions in WebAssembly's text form, separated by `;`. Labels and locals are
 * numbers; `call $name` takes the index of the function from `functions`.
 */
export function assemble(text: string, functions: ReadonlyMap<string, number>): number[] {
  return text.split(';').flatMap((part) => {
    const [name = '', operand = ''] = part.trim().split(/\s+/)
    if (name === '') return []
    if (name === 'call') return [0x10, ...unsigned(calledIndex(operand, functions))]
    const control = controls[name]
    if (control !== undefined) return [...control]
    const access = memory[name]
    if (access !== undefined) {
      return [access[0], access[1], ...unsigned(Number(operand.replace('offset=', '')))]
    }
    const instruction = instructions[name]
    if (instruction === undefined) throw new Error(`no instruction "${name}"`)
    const [opcode, kind] = instruction
    if (kind === 'none') return [opcode]
    return [opcode, ...(kind === 'index' ? unsigned(Number(operand)) : signed(BigInt(operand)))]
  })
}

function calledIndex(operand: string, functions: ReadonlyMap<string, number>): number {
  const index = operand.startsWith('$') ? functions.get(operand.slice(1)) : Number(operand)
  if (index === undefined) throw new Error(`no function "${operand}"`)
  return index
}

/** A number as signed LEB128. */
function signed(value: bigint): number[] {
  const bytes = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    const isLast = rest >= -64n && rest < 64n
    bytes.push(isLast ? low : low | 0x80)
    if (isLast) return bytes
  }
}
