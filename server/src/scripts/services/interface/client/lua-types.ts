import { type PayloadSchema, splitItems } from '../schema/payload.ts'
import { isMap, listMembers, listOthers, type Side, schemaKind } from './members.ts'
import { withoutTag } from './text.ts'

const scalars = {
  boolean: 'boolean',
  integer: 'integer',
  null: 'nil',
  number: 'number',
  string: 'string',
} as const

/** Returns a schema's type in annotation syntax, in one line. */
export function toType(schema: PayloadSchema, side: Side): string {
  const kind = schemaKind(schema, side)
  if (schema.enum !== undefined && schema.enum.length > 0) {
    return [...new Set(schema.enum)].map(quoted).join('|')
  }
  if (kind === undefined) return 'any'
  if (kind === 'array') return `(${formatItemType(schema, side)})[]`
  return kind === 'object' ? formatTable(schema, side) : scalars[kind]
}

function formatItemType(schema: PayloadSchema, side: Side): string {
  const { first, others } = splitItems(schema)
  if (first.length > 0) return 'any'
  return others === undefined ? 'any' : toType(others, side)
}

function formatTable(schema: PayloadSchema, side: Side): string {
  const members = listMembers(schema, side).map(({ name, schema: one, optional }) => {
    return `${toKey(name)}${optional ? '?' : ''}: ${toType(one, side)}`
  })
  const others = listOthers(schema)
  const rest = others?.map((one) => `(${toType(one, side)})`).join('|') || 'any'
  const open = members.length === 0 || isMap(schema) ? [`[string]: ${rest}`] : []
  return `{ ${[...members, ...open].join(', ')} }`
}

/** Returns a comment; lines that begin with three dashes never start a long comment. */
export function toComment(lines: readonly string[]): string {
  if (lines.every((line) => line.trim() === '')) return ''
  return lines.map((line) => `${`--- ${withoutTag(line)}`.trimEnd()}\n`).join('')
}

/** Returns a text as a Lua string literal of printable ASCII. */
export function quoted(text: string): string {
  const bytes = [...Buffer.from(text, 'utf8')].map((byte) => {
    const character = String.fromCharCode(byte)
    const isPlain = byte >= 0x20 && byte < 0x7f && character !== '"' && character !== '\\'
    return isPlain ? character : `\\${String(byte).padStart(3, '0')}`
  })
  return `"${bytes.join('')}"`
}

/** Returns a field's name, in brackets if it is not an identifier. */
export function toKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `[${quoted(name)}]`
}
