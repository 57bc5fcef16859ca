import { type PayloadSchema, splitItems } from '../schema/payload.ts'
import { isMap, listMembers, listOthers, type Side, schemaKind } from './members.ts'
import { splitLines, withoutTag } from './text.ts'

const scalars = { boolean: 'boolean', integer: 'number', null: 'null', number: 'number' } as const

/** Returns a schema's TypeScript type, as precise as possible; the instance checks the rest. */
export function toType(schema: PayloadSchema, side: Side, indent: string): string {
  const kind = schemaKind(schema, side)
  if (schema.enum !== undefined) return kind === 'string' ? formatChoice(schema.enum) : 'never'
  if (kind === undefined) return 'unknown'
  if (kind === 'string') return 'string'
  if (kind === 'array') return formatArray(schema, side, indent)
  return kind === 'object' ? formatObject(schema, side, indent) : scalars[kind]
}

function formatChoice(choices: readonly string[]): string {
  return choices.length === 0 ? 'never' : [...new Set(choices)].map(quoted).join(' | ')
}

function formatArray(schema: PayloadSchema, side: Side, indent: string): string {
  const { first, others } = splitItems(schema)
  const rest = others === undefined ? 'unknown' : toType(others, side, indent)
  if (first.length === 0) return `ReadonlyArray<${rest}>`
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const listed = first.slice(0, maxItems).map((one, index) => {
    return `(${toType(one, side, indent)})${index < minItems ? '' : '?'}`
  })
  const more = maxItems > first.length ? [`...ReadonlyArray<${rest}>`] : []
  return `readonly [${[...listed, ...more].join(', ')}]`
}

function formatObject(schema: PayloadSchema, side: Side, indent: string): string {
  const members = listMembers(schema, side)
  const others = listOthers(schema)
  const inner = `${indent}  `
  if (members.length === 0 && others?.length === 0) return 'Readonly<Record<string, never>>'
  const lines = members.map(({ name, schema: one, optional }) => {
    const mark = optional ? '?' : ''
    const about = toComment(describeSchema(one), inner)
    const type =
      toType(one, side, inner) + (optional && side === 'given' ? formatInherited(name) : '')
    return `${about}${inner}readonly ${formatKey(name)}${mark}: ${type}`
  })
  if (members.length === 0 || isMap(schema)) {
    lines.push(`${inner}readonly [key: string]: ${formatRest(schema, side, inner)}`)
  }
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** Returns the index signature's type, which must include the named members' types. */
function formatRest(schema: PayloadSchema, side: Side, indent: string): string {
  const others = listOthers(schema)
  if (others === undefined) return 'unknown'
  const members = listMembers(schema, side)
  const isPlain = members.every(({ schema: one }) => {
    const kind = schemaKind(one, side)
    return kind !== undefined && kind !== 'object' && kind !== 'array'
  })
  if (!isPlain) return 'unknown'
  const types = [...others, ...members.map(({ schema: one }) => one)].map((one) => {
    return `(${toType(one, side, indent)})`
  })
  const maybe = members.some(({ optional }) => optional) ? ['undefined'] : []
  return [...new Set([...types, ...maybe])].join(' | ')
}

function describeSchema({ description = '', default: preset }: PayloadSchema): string[] {
  const lines = splitLines(description)
  return preset === undefined
    ? lines
    : [...lines, ...splitLines(`Default: ${JSON.stringify(preset)}.`)]
}

/** Returns a doc comment; '' for no text. */
export function toComment(lines: readonly string[], indent: string): string {
  const escaped = lines.map((line) => withoutTag(line).replaceAll('*/', '*\\/'))
  if (escaped.every((line) => line.trim() === '')) return ''
  const body = escaped.map((line) => `${indent} * ${line}`.trimEnd())
  return [`${indent}/**`, ...body, `${indent} */\n`].join('\n')
}

/** Returns a text as a TypeScript string literal of printable ASCII. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * Adds the inherited type of a member such as `toString`: object literals have it without setting
 * it.
 */
function formatInherited(name: string): string {
  return Object.hasOwn(Object.prototype, name) && !name.startsWith('__')
    ? ` | Object[${quoted(name)}]`
    : ''
}

function formatKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}
