import { itemsOf, type PayloadSchema } from '../schema/payload.ts'
import { isMap, kindOf, membersOf, othersOf, type Side } from './members.ts'
import { linesOf, withoutTag } from './text.ts'

const scalars = { boolean: 'boolean', integer: 'number', null: 'null', number: 'number' } as const

/** Returns a schema's TypeScript type, as precise as possible; the instance checks the rest. */
export function typeOf(schema: PayloadSchema, side: Side, indent: string): string {
  const kind = kindOf(schema, side)
  if (schema.enum !== undefined) return kind === 'string' ? choiceOf(schema.enum) : 'never'
  if (kind === undefined) return 'unknown'
  if (kind === 'string') return 'string'
  if (kind === 'array') return arrayOf(schema, side, indent)
  return kind === 'object' ? objectOf(schema, side, indent) : scalars[kind]
}

function choiceOf(choices: readonly string[]): string {
  return choices.length === 0 ? 'never' : [...new Set(choices)].map(quoted).join(' | ')
}

function arrayOf(schema: PayloadSchema, side: Side, indent: string): string {
  const { first, others } = itemsOf(schema)
  const rest = others === undefined ? 'unknown' : typeOf(others, side, indent)
  if (first.length === 0) return `ReadonlyArray<${rest}>`
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const listed = first.slice(0, maxItems).map((one, index) => {
    return `(${typeOf(one, side, indent)})${index < minItems ? '' : '?'}`
  })
  const more = maxItems > first.length ? [`...ReadonlyArray<${rest}>`] : []
  return `readonly [${[...listed, ...more].join(', ')}]`
}

function objectOf(schema: PayloadSchema, side: Side, indent: string): string {
  const members = membersOf(schema, side)
  const others = othersOf(schema)
  const inner = `${indent}  `
  if (members.length === 0 && others?.length === 0) return 'Readonly<Record<string, never>>'
  const lines = members.map(({ name, schema: one, optional }) => {
    const mark = optional ? '?' : ''
    const about = commentOf(aboutOf(one), inner)
    const type = typeOf(one, side, inner) + (optional && side === 'given' ? inheritedOf(name) : '')
    return `${about}${inner}readonly ${keyOf(name)}${mark}: ${type}`
  })
  if (members.length === 0 || isMap(schema)) {
    lines.push(`${inner}readonly [key: string]: ${restOf(schema, side, inner)}`)
  }
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** Returns the index signature's type, which must include the named members' types. */
function restOf(schema: PayloadSchema, side: Side, indent: string): string {
  const others = othersOf(schema)
  if (others === undefined) return 'unknown'
  const members = membersOf(schema, side)
  const isPlain = members.every(({ schema: one }) => {
    const kind = kindOf(one, side)
    return kind !== undefined && kind !== 'object' && kind !== 'array'
  })
  if (!isPlain) return 'unknown'
  const types = [...others, ...members.map(({ schema: one }) => one)].map((one) => {
    return `(${typeOf(one, side, indent)})`
  })
  const maybe = members.some(({ optional }) => optional) ? ['undefined'] : []
  return [...new Set([...types, ...maybe])].join(' | ')
}

function aboutOf({ description = '', default: preset }: PayloadSchema): string[] {
  const lines = linesOf(description)
  return preset === undefined
    ? lines
    : [...lines, ...linesOf(`Default: ${JSON.stringify(preset)}.`)]
}

/** Returns a doc comment; '' for no text. */
export function commentOf(lines: readonly string[], indent: string): string {
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
function inheritedOf(name: string): string {
  return Object.hasOwn(Object.prototype, name) && !name.startsWith('__')
    ? ` | Object[${quoted(name)}]`
    : ''
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}
