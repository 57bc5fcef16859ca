import { itemsOf, type PayloadSchema } from '../schema/payload.ts'
import { isMap, kindOf, membersOf, othersOf, type Side } from './members.ts'
import { withoutTag } from './text.ts'

const scalars = {
  boolean: 'boolean',
  integer: 'integer',
  null: 'nil',
  number: 'number',
  string: 'string',
} as const

/** A schema as a type of annotations, in one line. */
export function typeOf(schema: PayloadSchema, side: Side): string {
  const kind = kindOf(schema, side)
  if (schema.enum !== undefined && schema.enum.length > 0) {
    return [...new Set(schema.enum)].map(quoted).join('|')
  }
  if (kind === undefined) return 'any'
  if (kind === 'array') return `(${itemTypeOf(schema, side)})[]`
  return kind === 'object' ? tableOf(schema, side) : scalars[kind]
}

function itemTypeOf(schema: PayloadSchema, side: Side): string {
  const { first, others } = itemsOf(schema)
  if (first.length > 0) return 'any'
  return others === undefined ? 'any' : typeOf(others, side)
}

function tableOf(schema: PayloadSchema, side: Side): string {
  const members = membersOf(schema, side).map(({ name, schema: one, optional }) => {
    return `${keyOf(name)}${optional ? '?' : ''}: ${typeOf(one, side)}`
  })
  const others = othersOf(schema)
  const rest = others?.map((one) => `(${typeOf(one, side)})`).join('|') || 'any'
  const open = members.length === 0 || isMap(schema) ? [`[string]: ${rest}`] : []
  return `{ ${[...members, ...open].join(', ')} }`
}

/** Lines that begin with three dashes are never the start of a long comment. */
export function commentOf(lines: readonly string[]): string {
  if (lines.every((line) => line.trim() === '')) return ''
  return lines.map((line) => `${`--- ${withoutTag(line)}`.trimEnd()}\n`).join('')
}

/** A text as a string of Lua, in printable characters alone. */
export function quoted(text: string): string {
  const bytes = [...Buffer.from(text, 'utf8')].map((byte) => {
    const character = String.fromCharCode(byte)
    const isPlain = byte >= 0x20 && byte < 0x7f && character !== '"' && character !== '\\'
    return isPlain ? character : `\\${String(byte).padStart(3, '0')}`
  })
  return `"${bytes.join('')}"`
}

/** The name of a field; one that is no word stands in brackets. */
export function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `[${quoted(name)}]`
}
