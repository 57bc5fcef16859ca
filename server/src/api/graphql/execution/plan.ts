import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql'
import type { AssetListField } from '../../../insight/assets/index.ts'
import type { AnyResolver } from '../resolver.ts'
import { planAssetList } from './list-plan.ts'

/**
 * A query of the schema with its selections merged, so that a run looks nothing up. It is data and
 * functions of ours; no part of the document becomes code.
 */
export type QueryPlan = {
  readonly fields: readonly FieldPlan[]
  readonly operationName: string | undefined
  readonly variables: readonly VariableDefinitionNode[]
}

export type FieldPlan = {
  /** The name in the answer. */
  readonly key: string
  readonly name: string
  readonly parentName: string
  readonly nodes: readonly FieldNode[]
  readonly resolve: AnyResolver | undefined
  readonly args: ArgumentsPlan
  readonly output: OutputPlan
  /** The fields of a list that the database can write as JSON; undefined for any other field. */
  readonly list?: readonly AssetListField[] | undefined
}

/** The arguments of a field: the same in each run, or made of the variables of a run. */
export type ArgumentsPlan =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly field: GraphQLField<unknown, unknown>; readonly node: FieldNode }

export type OutputPlan = { readonly isNullable: boolean } & (
  | { readonly kind: 'leaf'; readonly coerce: (value: unknown) => unknown }
  | { readonly kind: 'list'; readonly item: OutputPlan }
  | { readonly kind: 'object'; readonly fields: readonly FieldPlan[] }
)

/** The document needs a part of GraphQL that a plan does not have. */
class NotPlannable extends Error {}

/**
 * Plans a valid document. Returns undefined for what graphql-js has to run: mutations, documents of
 * several operations, directives, introspection, and abstract types.
 */
export function planQuery(schema: GraphQLSchema, document: DocumentNode): QueryPlan | undefined {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  )
  const [operation] = operations
  const root = schema.getQueryType()
  if (operation === undefined || operations.length > 1 || !root) return undefined
  if (operation.operation !== OperationTypeNode.QUERY) return undefined
  if (operation.directives?.length) return undefined
  try {
    const fields = new Planner(document).planFields(root, [operation.selectionSet])
    const variables = operation.variableDefinitions ?? []
    return { fields, operationName: operation.name?.value, variables }
  } catch (error) {
    if (error instanceof NotPlannable) return undefined
    throw error
  }
}

class Planner {
  readonly #fragments = new Map<string, FragmentDefinitionNode>()

  constructor(document: DocumentNode) {
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue
      this.#fragments.set(definition.name.value, definition)
    }
  }

  /** Fields of the same name in the answer are one field with all their selections. */
  planFields(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): FieldPlan[] {
    const nodes = new Map<string, FieldNode[]>()
    for (const set of sets) this.#collect(type, set, nodes)
    return [...nodes].map(([key, same]) => this.#planField(type, key, same))
  }

  #collect(type: GraphQLObjectType, set: SelectionSetNode, nodes: Map<string, FieldNode[]>): void {
    for (const selection of set.selections) {
      if (selection.directives?.length) throw new NotPlannable('a directive')
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        const same = nodes.get(key)
        if (same === undefined) nodes.set(key, [selection])
        else same.push(selection)
        continue
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? this.#fragments.get(selection.name.value)
          : selection
      const condition = fragment?.typeCondition?.name.value ?? type.name
      if (fragment === undefined || condition !== type.name || fragment.directives?.length) {
        throw new NotPlannable('a fragment on an abstract type')
      }
      this.#collect(type, fragment.selectionSet, nodes)
    }
  }

  #planField(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): FieldPlan {
    const [node] = nodes
    const name = node?.name.value ?? ''
    if (node === undefined) throw new NotPlannable('no field')
    if (name === '__typename') return typeName(type, key, nodes)
    const field = type.getFields()[name]
    // An answer is a plain object, of which __proto__ is no field.
    if (field === undefined || key.startsWith('__')) throw new NotPlannable('a reserved name')
    const resolve = field.resolve as unknown as AnyResolver | undefined
    const args = planArguments(field, node)
    const output = this.#planOutput(field.type, nodes)
    const list = type.name === 'Query' && name === 'assets' ? planAssetList(output) : undefined
    return { key, name, parentName: type.name, nodes, resolve, args, output, list }
  }

  #planOutput(type: GraphQLOutputType, nodes: readonly FieldNode[], isNullable = true): OutputPlan {
    if (isNonNullType(type)) return this.#planOutput(type.ofType, nodes, false)
    if (isListType(type)) {
      return { kind: 'list', isNullable, item: this.#planOutput(type.ofType, nodes) }
    }
    if (isLeafType(type)) {
      return { kind: 'leaf', isNullable, coerce: (value) => type.coerceOutputValue(value) }
    }
    if (!isObjectType(type) || type.isTypeOf) throw new NotPlannable('an abstract type')
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    return { kind: 'object', isNullable, fields: this.planFields(type, sets) }
  }
}

const noArguments: ArgumentsPlan = { values: {} }

function typeName(type: GraphQLObjectType, key: string, nodes: readonly FieldNode[]): FieldPlan {
  const output: OutputPlan = { kind: 'leaf', isNullable: false, coerce: (value) => value }
  const [name, parentName, resolve] = ['__typename', type.name, () => type.name]
  return { key, name, parentName, nodes, resolve, args: noArguments, output }
}

function planArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentsPlan {
  if (field.args.length === 0) return noArguments
  try {
    // A variable that is absent takes the default of its argument, so this can succeed with one.
    if (!hasVariable(node)) return { values: getArgumentValues(field, node) }
  } catch {
    // Each run refuses it again, with the place in the answer.
  }
  return { field, node }
}

function hasVariable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('kind' in value && value.kind === Kind.VARIABLE) return true
  if (Array.isArray(value)) return value.some(hasVariable)
  const { arguments: args, fields, value: inner, values } = value as Record<string, unknown>
  return [args, fields, inner, values].some(hasVariable)
}
