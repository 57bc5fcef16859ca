import { invalidField } from '../../../../foundation/kernel/index.ts'
import { type Definition, type OperationDefinition, scriptKey } from '../definition/definition.ts'
import { type PayloadSchema, toPayload } from '../schema/payload.ts'
import { quoted, toComment, toKey, toType } from './lua-types.ts'
import { isRecord, listMembers, type Side } from './members.ts'
import { splitLines } from './text.ts'

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
  const about = toComment([...splitLines(definition.name), ...splitLines(definition.description)])
  return [
    '-- Written by `millrace interface client --lua`; write it anew when the definition changes.\n',
    [
      '---What failed.',
      `---@class ${error}`,
      '---@field type string',
      '---@field error string',
      '---@field status integer\n',
    ].join('\n'),
    ...definition.operations.flatMap((operation) => formatClasses(alias, operation)),
    ...definition.events.map(({ name, parameters, description = '' }) => {
      const about = toComment([`What ${alias}_${name} handles.`, ...splitLines(description)])
      return typeText(`${alias}.${name}.event`, toPayload(parameters), 'comes', about)
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

function formatClasses(
  alias: string,
  { name, parameters, response }: OperationDefinition,
): string[] {
  const names = classNames(alias, name)
  return [
    typeText(names.parameters, toPayload(parameters), 'given', ''),
    typeText(names.response, toPayload(response), 'comes', ''),
  ]
}

/** Returns a class if the schema has named members, else an alias of the type. */
function typeText(name: string, schema: PayloadSchema, side: Side, about: string): string {
  const comment = about + toComment(splitLines(schema.description ?? ''))
  if (!isRecord(schema, side)) return `${comment}---@alias ${name} ${toType(schema, side)}\n`
  const fields = listMembers(schema, side).map(({ name: field, schema: one, optional }) => {
    const fieldComment = toComment(splitLines(one.description ?? ''))
    return `${fieldComment}---@field ${toKey(field)}${optional ? '?' : ''} ${toType(one, side)}\n`
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
    `${toComment(splitLines(description))}---@param arguments? ${parameters}`,
    `---@return ${response}|${error}`,
    head,
    `  return ${formatService(alias)}${isWord ? `[${quoted(name)}]` : `.${name}`}(arguments)`,
    'end\n',
  ].join('\n')
}

/** Scripts write services with a capital letter. */
function formatService(alias: string): string {
  if (keywords.has(alias)) return `murano.services[${quoted(alias)}]`
  return `${alias.slice(0, 1).toUpperCase()}${alias.slice(1)}`
}
