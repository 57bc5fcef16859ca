import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type VariableValues,
} from 'graphql'
import { Fault } from '../../../foundation/kernel/index.ts'
import { graphqlLimits } from '../limits.ts'
import {
  findLimitArgument,
  isList,
  type LimitArgument,
  limitIn,
  longestList,
  namedIn,
} from './list-size.ts'

/** Statements that the estimate of a document counts for each change. */
const graphqlChangeStatements = 20

/** The most that a document may cost, whatever the business has. Nothing is run to find out. */
export type Estimate = {
  /** Rows that may be read, those of all levels. */
  readonly rows: number
  readonly statements: number
  /** The rows, and `graphqlStatementCost` for each statement. */
  readonly cost: number
  /** Each place of the document that costs something. */
  readonly places: readonly PlaceCost[]
  /** The fields that the estimate has walked. */
  readonly fields: number
}

export type PlaceCost = {
  /** The names of the fields down to it, such as `assets.signals.data`. */
  readonly path: string
  readonly rows: number
  readonly statements: number
  /** The number of rows of it that one parent may have, and where the document states it. */
  readonly size: number
  readonly limit: LimitArgument | undefined
  readonly nodes: readonly FieldNode[]
}

export type EstimateOptions = {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: VariableValues | undefined
  /** Other limits than those of the document, by the place they stand at. */
  readonly limitsAt?: ReadonlyMap<FieldNode, number>
  /** Arguments that an estimate of the document has coerced, for the next place or estimate. */
  readonly coerced: Map<FieldNode, Arguments>
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * Fields that ask the database once for each row above them. The others are loaded together, by one
 * statement for each place of the document.
 */
export const askedAlone: ReadonlySet<string> = new Set([
  'Asset.events',
  'Asset.log',
  'Asset.pipeline',
  'Connector.devices',
  'Group.totals',
  'Module.health',
  'User.role',
  'User.groups',
])

/** Fields of `Query` that ask more than once: for a page, and for the length of the whole. */
const askedOften: Readonly<Record<string, number>> = { conditionQuery: 2 }

/** @throws Fault `list_too_long` */
export function estimate(options: EstimateOptions): Estimate {
  const { places, fields } = new Estimator(options).run()
  const rows = places.reduce((sum, place) => sum + place.rows, 0)
  const statements = places.reduce((sum, place) => sum + place.statements, 0)
  return { rows, statements, cost: computeCost({ rows, statements }), places, fields }
}

/** The cost of so many rows and statements. */
export function computeCost({ rows, statements }: Pick<Estimate, 'rows' | 'statements'>): number {
  return rows + statements * graphqlLimits.graphqlStatementCost
}

/** The facts about the place above that a place needs. */
type Above = {
  readonly type: GraphQLNamedType
  /** The number of objects that there may be. */
  readonly count: number
  readonly path: string
  /** The limit of a field that answers one object, which is that of the list inside it. */
  readonly limit: number | undefined
}

class Estimator {
  readonly #options: EstimateOptions
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  readonly #places: PlaceCost[] = []
  #fields = 0

  constructor(options: EstimateOptions) {
    this.#options = options
    for (const definition of options.document.definitions) {
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue
      this.#fragments.set(definition.name.value, definition)
    }
  }

  run(): Pick<Estimate, 'places' | 'fields'> {
    const { schema, operation } = this.#options
    const type = schema.getRootType(operation.operation)
    if (type) this.#walk([operation.selectionSet], { type, count: 1, path: '', limit: undefined })
    return { places: this.#places, fields: this.#fields }
  }

  #walk(sets: readonly SelectionSetNode[], above: Above): void {
    const fields = new Map<string, { type: GraphQLNamedType; nodes: FieldNode[] }>()
    for (const set of sets) this.#collect(set, above.type, fields)
    for (const { type, nodes } of fields.values()) this.#take(nodes, { ...above, type })
  }

  /** Fields of one name in the answer are one, but those of types behind an interface. */
  #collect(
    set: SelectionSetNode,
    type: GraphQLNamedType,
    fields: Map<string, { type: GraphQLNamedType; nodes: FieldNode[] }>,
  ): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = `${type.name}.${(selection.alias ?? selection.name).value}`
        const same = fields.get(key)
        if (same === undefined) fields.set(key, { type, nodes: [selection] })
        else same.nodes.push(selection)
        continue
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? this.#fragments.get(selection.name.value)
          : selection
      if (fragment === undefined) continue
      const condition = fragment.typeCondition?.name.value
      const inner = condition === undefined ? type : this.#options.schema.getType(condition)
      this.#collect(fragment.selectionSet, inner ?? type, fields)
    }
  }

  #take(nodes: readonly FieldNode[], above: Above): void {
    const [node] = nodes
    const name = node?.name.value ?? ''
    const field = getFields(above.type)?.[name]
    // Introspection reads no row.
    if (node === undefined || field === undefined || name.startsWith('__')) return
    this.#fields += 1
    const args = this.#readArguments(field, node)
    const inner = getNamedType(field.type)
    const path = above.path === '' ? name : `${above.path}.${name}`
    const limit = findLimitArgument(field)
    const asked = limit && this.#limitAt(node, limit, args)
    const size = isList(field.type) ? estimateSize(asked, above.limit, namedIn(args)) : 1
    const isRead = field.resolve !== undefined && isCompositeType(inner)
    const isLoaded = isRead || (isList(field.type) && isCompositeType(inner))
    const count = above.count * size
    const rows = isLoaded ? count : 0
    const statements = this.#countStatements(name, above, isRead, args)
    if (rows > 0 || statements > 0) {
      this.#places.push({ path, rows, statements, size, limit, nodes })
    }
    if (!isCompositeType(inner)) return
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    const below = isList(field.type) ? undefined : asked
    this.#walk(sets, { type: inner, count, path, limit: below })
  }

  #limitAt(node: FieldNode, limit: LimitArgument, args: Arguments): number {
    return this.#options.limitsAt?.get(node) ?? limitIn(limit, args)
  }

  #countStatements(
    name: string,
    { path, count, type }: Above,
    isRead: boolean,
    args: Arguments,
  ): number {
    // Totals of groups alone, without those below, are loaded together.
    if (askedAlone.has(`${type.name}.${name}`) && args.recurse !== false) return count
    if (path !== '') return isRead && count > 0 ? 1 : 0
    const { operation } = this.#options.operation
    if (operation !== OperationTypeNode.MUTATION) return askedOften[name] ?? 1
    return graphqlChangeStatements * (namedIn(args) ?? 1)
  }

  #readArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): Arguments {
    const known = this.#options.coerced.get(node)
    if (known !== undefined) return known
    const args = this.#tryArguments(field, node)
    this.#options.coerced.set(node, args)
    const longest = longestList(args)
    if (longest <= graphqlLimits.graphqlListMax) return args
    const most = graphqlLimits.graphqlListMax
    const text = `${field.name}: a list of ${longest} items; ${most} are allowed.`
    throw new Fault('list_too_long', text)
  }

  #tryArguments(field: GraphQLField<unknown, unknown>, node: FieldNode) {
    try {
      return getArgumentValues(field, node, this.#options.variables)
    } catch {
      // The run refuses them, with their place.
      return {}
    }
  }
}

function getFields(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : undefined
}

/** A list of things that are named is no longer than their names. */
function estimateSize(
  asked: number | undefined,
  ofParent: number | undefined,
  named: number | undefined,
): number {
  if (asked !== undefined) return Math.min(asked, named ?? asked)
  return named ?? ofParent ?? graphqlLimits.graphqlListAssumed
}
