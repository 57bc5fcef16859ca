import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  visit,
} from 'graphql'
import { type ErrorCode, limits } from '../kernel/index.ts'

/** How deep a document selects, and how many fields, with every fragment written out. */
export type Structure = { readonly depth: number; readonly selections: number }

/**
 * Measures the largest operation of a document in one walk: a fragment is measured once, however
 * often it is spread, so that a short document that spreads to millions of fields costs nothing.
 * A fragment that spreads itself counts as empty there; the standard rules refuse it by name.
 */
export function measureDocument(document: DocumentNode): Structure {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    }
  }
  const measure = measurer(fragments)
  let largest = nothing
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    largest = larger(largest, measure(definition.selectionSet))
  }
  return largest
}

/** The names of all fields that a document selects anywhere. */
export function fieldNames(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>()
  visit(document, { Field: (field) => void names.add(field.name.value) })
  return names
}

const nothing: Structure = { depth: 0, selections: 0 }

function larger(one: Structure, other: Structure): Structure {
  return {
    depth: Math.max(one.depth, other.depth),
    selections: Math.max(one.selections, other.selections),
  }
}

function measurer(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const known = new Map<string, Structure>()

  function ofFragment(name: string): Structure {
    const measured = known.get(name)
    if (measured !== undefined) return measured
    known.set(name, nothing)
    const fragment = fragments.get(name)
    const structure = fragment === undefined ? nothing : ofSet(fragment.selectionSet)
    known.set(name, structure)
    return structure
  }

  function ofSet(set: SelectionSetNode): Structure {
    let depth = 0
    let selections = 0
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const below = selection.selectionSet === undefined ? nothing : ofSet(selection.selectionSet)
        depth = Math.max(depth, below.depth + 1)
        selections += below.selections + 1
        continue
      }
      const spread =
        selection.kind === Kind.INLINE_FRAGMENT
          ? ofSet(selection.selectionSet)
          : ofFragment(selection.name.value)
      depth = Math.max(depth, spread.depth)
      selections += spread.selections
    }
    return { depth, selections }
  }

  return ofSet
}

/**
 * Refuses documents that select too deep or too much. It runs before the standard rules, some of
 * which take a time that is quadratic in the number of selections.
 */
export function structureRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      const { depth, selections } = measureDocument(document)
      if (depth > limits.graphqlDepthMax) {
        context.reportError(tooComplex('levels deep', depth, limits.graphqlDepthMax))
      }
      if (selections > limits.graphqlSelectionsMax) {
        context.reportError(tooComplex('fields', selections, limits.graphqlSelectionsMax))
      }
      return false
    },
  }
}

function tooComplex(what: string, is: number, max: number): GraphQLError {
  const code: ErrorCode = 'too_complex'
  return new GraphQLError(`The document selects ${is} ${what}; ${max} are allowed.`, {
    extensions: { code },
  })
}
