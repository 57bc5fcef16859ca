import type { TSchema } from 'typebox'
import { type Node, readKeywords, readProperties, readValueSchema, toNode } from './node.ts'
import { listChoices } from './sentence.ts'

/** The word for what a row of a table is about. */
type Kind = 'argument' | 'field' | 'parameter' | 'header'

type Row = {
  readonly name: string
  readonly type: string
  readonly presence: string
  readonly meaning: string
}

/** The fields of an object as a table of Markdown; empty if it has none. */
export function fieldsTable(schema: TSchema, kind: Kind): string {
  const rows = innerRows(toNode(schema), '').map((row) => ({
    ...row,
    name: row.name.replace(/^\./, ''),
  }))
  if (rows.length === 0) return ''
  const lines = rows.map(({ name, type, presence, meaning }) =>
    ['', `\`${name}\``, type, presence, meaning, ''].join(' | ').trim(),
  )
  return [`| ${kind} | type | | meaning |`, '|---|---|---|---|', ...lines].join('\n')
}

function formatRows(schema: Node, prefix: string): Row[] {
  const { required = [] } = schema
  return Object.entries(readProperties(schema)).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    return [formatRow(path, field, required.includes(name)), ...innerRows(field, path)]
  })
}

/** The rows of the objects that a field has or lists. */
function innerRows(field: Node, path: string): Row[] {
  const values = readValueSchema(field)
  if (field.items !== undefined) return innerRows(field.items, `${path}[]`)
  if (values !== undefined) return innerRows(values, `${path}.*`)
  return (field.anyOf ?? [field]).flatMap((one) => formatRows(one, `${path}.`))
}

function formatRow(name: string, field: Node, isRequired: boolean): Row {
  const { default: preset } = readKeywords(field)
  const presence = isRequired ? 'required' : 'optional'
  return {
    name,
    type: formatType(field),
    presence: preset === undefined ? presence : `default \`${JSON.stringify(preset)}\``,
    meaning: (field.description ?? '').replaceAll('|', '\\|'),
  }
}

/** The type of a field in words, with its bounds and with what else is taken for it. */
function formatType(schema: Node): string {
  const { numberAsText, digitsAsNumber, itemAsList } = readKeywords(schema)
  const own = formatOwnType(schema)
  if (numberAsText) return `${own}; or a number`
  if (digitsAsNumber) return `${own}; or its digits`
  return itemAsList ? `${own}; or one of them` : own
}

function formatOwnType(schema: Node): string {
  const choices = listChoices(schema)
  if (choices !== undefined) return choices.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(formatType).join(' or ')
  const { type, items, minimum, maximum, maxItems, maxLength } = schema
  const values = readValueSchema(schema)
  if (type === 'integer' || type === 'number') {
    const noun = type === 'integer' ? 'whole number' : 'number'
    return minimum === undefined ? noun : `${noun}, ${minimum} to ${maximum}`
  }
  if (type === 'array') {
    const list = items === undefined ? 'list' : `list of: ${formatType(items)}`
    return maxItems === undefined ? list : `${list} (at most ${maxItems})`
  }
  if (type === 'object' && values !== undefined) return `object, each value: ${formatType(values)}`
  if (type === 'string')
    return maxLength === undefined ? 'string' : `string of at most ${maxLength}`
  const names: Readonly<Record<string, string>> = { boolean: 'boolean', undefined: 'nil' }
  return type === undefined ? 'any' : (names[type] ?? type)
}

/** A result that is no object with fields, in words. */
export function typeInWords(schema: TSchema): string {
  const { type, description, properties = {} } = toNode(schema)
  if (type === 'object' && Object.keys(properties).length === 0) return 'an empty table'
  return description ?? formatType(toNode(schema))
}
