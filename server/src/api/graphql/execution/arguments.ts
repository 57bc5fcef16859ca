import {
  type ASTNode,
  type ASTVisitor,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isListType,
  Kind,
  OperationTypeNode,
  typeFromAST,
  type ValidationContext,
} from 'graphql'
import {
  type ErrorCode,
  Fault,
  isJsonObject,
  parseIso,
  refuseTime,
} from '../../../foundation/kernel/index.ts'
import type { AskedDocument } from '../limits/check-cost.ts'

/**
 * A text with a NUL is in no database, so nothing has it: what is read by one is a mistake of the
 * caller. Mutations name the field whose text they refuse themselves, and a batch its row.
 */
const nulRule = 'holds a NUL, which no text has'
const code: ErrorCode = 'invalid_argument'

/** Refuses what a document writes out and no argument may be, by the argument's name. */
export function argumentsRule(context: ValidationContext): ASTVisitor {
  let isMutation = false
  type Ancestors = readonly (ASTNode | readonly ASTNode[])[]
  const refuse = (node: ASTNode, within: Ancestors, rule: string | undefined) => {
    if (rule === undefined) return
    const options = { nodes: node, extensions: { code } }
    context.reportError(new GraphQLError(`${argumentName(within)} ${rule}.`, options))
  }
  const typeName = () => getNamedType(context.getInputType())?.name
  return {
    OperationDefinition({ operation }) {
      isMutation = operation === OperationTypeNode.MUTATION
    },
    StringValue(node, _key, parent, _path, ancestors) {
      const within = parent === undefined ? ancestors : [...ancestors, parent]
      const name = typeName()
      if (name === 'Timestamp') refuse(node, within, refuseMicros(parseIso(node.value)))
      else if (isText(name) && !isMutation && node.value.includes('\0'))
        refuse(node, within, nulRule)
    },
    IntValue(node, _key, parent, _path, ancestors) {
      if (typeName() !== 'Timestamp') return
      const within = parent === undefined ? ancestors : [...ancestors, parent]
      refuse(node, within, refuseMicros(Number(node.value)))
    },
  }
}

const isText = (name: string | undefined) => name === 'String' || name === 'ID'

/** The scalar refuses values that are no time at all. */
const refuseMicros = (us: number | undefined) => (us === undefined ? undefined : refuseTime(us))

/** The path of an argument's part: `filters.text`. */
function argumentName(ancestors: readonly (ASTNode | readonly ASTNode[])[]): string {
  const names = ancestors.flatMap((one) => {
    if (!('kind' in one)) return []
    if (one.kind === Kind.VARIABLE_DEFINITION) return [`$${one.variable.name.value}`]
    return one.kind === Kind.ARGUMENT || one.kind === Kind.OBJECT_FIELD ? [one.name.value] : []
  })
  return names.join('.')
}

/** Refuses a variable of a query or a subscription with a NUL in a text. @throws Fault */
export function requireTexts(schema: GraphQLSchema, asked: AskedDocument): void {
  const { document, operationName, variables = {} } = asked
  const operation = getOperationAST(document, operationName)
  if (!operation || operation.operation === OperationTypeNode.MUTATION) return
  for (const { variable, type: node } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node)
    const { value: name } = variable.name
    const place = isInputType(type) ? findNul(variables[name], type) : undefined
    if (place === undefined) continue
    const at = place === '' ? '' : ` at ${place.slice(1)}`
    throw new Fault('invalid_argument', `Variable "$${name}" ${nulRule}${at}.`)
  }
}

/** The place of a text with a NUL in a value, such as `.text`; undefined if there is none. */
function findNul(value: unknown, type: GraphQLInputType): string | undefined {
  const inner = getNullableType(type)
  if (isListType(inner)) {
    const { ofType } = inner
    if (!Array.isArray(value)) return findNul(value, ofType)
    return first(value.entries(), (item) => findNul(item, ofType))
  }
  if (isInputObjectType(inner)) {
    if (!isJsonObject(value)) return undefined
    const fields = inner.getFields()
    return first(Object.entries(value), (item, name) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return field === undefined ? undefined : findNul(item, field.type)
    })
  }
  return isText(inner.name) && typeof value === 'string' && value.includes('\0') ? '' : undefined
}

function first<Key extends string | number>(
  entries: Iterable<readonly [Key, unknown]>,
  find: (value: unknown, key: Key) => string | undefined,
): string | undefined {
  for (const [key, value] of entries) {
    const below = find(value, key)
    if (below !== undefined) return `.${key}${below}`
  }
  return undefined
}
