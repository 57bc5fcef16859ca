import type { TSchema } from 'typebox'
import { keywordsOf, type Node, nodeOf, propertiesOf, valueSchemaOf } from './node.ts'
import { choicesOf } from './sentence.ts'

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
  const rows = innerRows(nodeOf(schema), '').map((row) => ({
    ...row,
    name: row.name.replace(/^\./, ''),
  }))
  if (rows.length === 0) return ''
  const lines = rows.map(({ name, type, presence, meaning }) =>
    ['', `\`${name}\``, type, presence, meaning, ''].join(' | ').trim(),
  )
  return [`| ${kind} | type | | meaning |`, '|---|---|---|---|', ...lines].join('\n')
}

function rowsOf(schema: Node, prefix: string): Row[] {
  const { required = [] } = schema
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    return [rowOf(path, field, required.includes(name)), ...innerRows(field, path)]
  })
}

/** The rows of the objects that a field has or lists. */
function innerRows(field: Node, path: string): Row[] {
  const values = valueSchemaOf(field)
  if (field.items !== undefined) return innerRows(field.items, `${path}[]`)
  if (values !== undefined) return innerRows(values, `${path}.*`)
  return (field.anyOf ?? [field]).flatMap((one) => rowsOf(one, `${path}.`))
}

function rowOf(name: string, field: Node, isRequired: boolean): Row {
  const { default: preset } = keywordsOf(field)
  const presence = isRequired ? 'required' : 'optional'
  return {
    name,
    type: typeOf(field),
    presence: preset === undefined ? presence : `default \`${JSON.stringify(preset)}\``,
    meaning: (field.description ?? '').replaceAll('|', '\\|'),
  }
}

/** The type of a field in words, with its bounds and with what else is taken for it. */
function typeOf(schema: Node): string {
  const { numberAsText, digitsAsNumber, itemAsList } = keywordsOf(schema)
  const own = ownTypeOf(schema)
  if (numberAsText) return `${own}; or a number`
  if (digitsAsNumber) return `${own}; or its digits`
  return itemAsList ? `${own}; or one of them` : own
}

function ownTypeOf(schema: Node): string {
  const choices = choicesOf(schema)
  if (choices !== undefined) return choices.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ')
  const { type, items, minimum, maximum, maxItems, maxLength } = schema
  const values = valueSchemaOf(schema)
  if (type === 'integer' || type === 'number') {
    const noun = type === 'integer' ? 'whole number' : 'number'
    return minimum === undefined ? noun : `${noun}, ${minimum} to ${maximum}`
  }
  if (type === 'array') {
    const list = items === undefined ? 'list' : `list of: ${typeOf(items)}`
    return maxItems === undefined ? list : `${list} (at most ${maxItems})`
  }
  if (type === 'object' && values !== undefined) return `object, each value: ${typeOf(values)}`
  if (type === 'string')
    return maxLength === undefined ? 'string' : `string of at most ${maxLength}`
  const names: Readonly<Record<string, string>> = { boolean: 'boolean', undefined: 'nil' }
  return type === undefined ? 'any' : (names[type] ?? type)
}

/** A result that is no object with fields, in words. */
export function typeInWords(schema: TSchema): string {
  const { type, description, properties = {} } = nodeOf(schema)
  if (type === 'object' && Object.keys(properties).length === 0) return 'an empty table'
  return description ?? typeOf(nodeOf(schema))
}
