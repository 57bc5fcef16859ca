import { invalidField } from '../../../../foundation/kernel/index.ts'
import { type Definition, type OperationDefinition, scriptKey } from '../definition/definition.ts'
import { type PayloadSchema, payloadOf } from '../schema/payload.ts'
import { commentOf, keyOf, quoted, typeOf } from './lua-types.ts'
import { isRecord, membersOf, type Side } from './members.ts'
import { linesOf } from './text.ts'

/** Reserved words: `end.call{}` is not valid Lua. */
const keywords = new Set(
  (
    'and break do else elseif end false for function goto if in local nil not or repeat return ' +
    'then true until while'
  ).split(' '),
)

/**
 * Generates a module for scripts that use an exposed solution as the service `alias`: each
 * operation is a function with annotations that editors read.
 * @throws Fault invalid_argument if the alias is not a script key
 */
export function luaClient(definition: Definition, alias: string): string {
  if (!scriptKey.test(alias)) throw invalidField('key', `must match ${scriptKey.source}`)
  const { error } = classNames(alias)
  const about = commentOf([...linesOf(definition.name), ...linesOf(definition.description)])
  return [
    '-- Written by `millrace interface client --lua`; write it anew when the definition changes.\n',
    [
      '---What failed.',
      `---@class ${error}`,
      '---@field type string',
      '---@field error string',
      '---@field status integer\n',
    ].join('\n'),
    ...definition.operations.flatMap((operation) => classesOf(alias, operation)),
    ...definition.events.map(({ name, parameters, description = '' }) => {
      const about = commentOf([`What ${alias}_${name} handles.`, ...linesOf(description)])
      return typeText(`${alias}.${name}.event`, payloadOf(parameters), 'comes', about)
    }),
    `${about}local client = {}\n`,
    ...definition.operations.map((operation) => functionText(alias, operation)),
    'return client\n',
  ].join('\n')
}

function classNames(alias: string, operation = '') {
  return {
    parameters: `${alias}.${operation}.parameters`,
    response: `${alias}.${operation}.response`,
    error: `${alias}.error`,
  }
}

function classesOf(alias: string, { name, parameters, response }: OperationDefinition): string[] {
  const names = classNames(alias, name)
  return [
    typeText(names.parameters, payloadOf(parameters), 'given', ''),
    typeText(names.response, payloadOf(response), 'comes', ''),
  ]
}

/** Returns a class if the schema has named members, else an alias of the type. */
function typeText(name: string, schema: PayloadSchema, side: Side, about: string): string {
  const comment = about + commentOf(linesOf(schema.description ?? ''))
  if (!isRecord(schema, side)) return `${comment}---@alias ${name} ${typeOf(schema, side)}\n`
  const fields = membersOf(schema, side).map(({ name: field, schema: one, optional }) => {
    const fieldComment = commentOf(linesOf(one.description ?? ''))
    return `${fieldComment}---@field ${keyOf(field)}${optional ? '?' : ''} ${typeOf(one, side)}\n`
  })
  return `${comment}---@class ${name}\n${fields.join('')}`
}

function functionText(alias: string, { name, description = '' }: OperationDefinition): string {
  const { parameters, response, error } = classNames(alias, name)
  const isWord = keywords.has(name)
  const head = isWord
    ? `client[${quoted(name)}] = function(arguments)`
    : `function client.${name}(arguments)`
  return [
    `${commentOf(linesOf(description))}---@param arguments? ${parameters}`,
    `---@return ${response}|${error}`,
    head,
    `  return ${serviceOf(alias)}${isWord ? `[${quoted(name)}]` : `.${name}`}(arguments)`,
    'end\n',
  ].join('\n')
}

/** Scripts write services with a capital letter. */
function serviceOf(alias: string): string {
  if (keywords.has(alias)) return `murano.services[${quoted(alias)}]`
  return `${alias.slice(0, 1).toUpperCase()}${alias.slice(1)}`
}
