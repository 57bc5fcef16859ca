import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  visit,
} from 'graphql'
import type { ErrorCode } from '../../../foundation/kernel/index.ts'
import { graphqlLimits } from '../limits.ts'

/** The depth of a document's selections with all fragments expanded, and how many it has. */
export type Structure = {
  readonly depth: number
  readonly selections: number
  readonly aliases: number
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/**
 * Measures the largest operation of a document in one walk: a fragment is measured once, however
 * often it is spread, so that a short document that spreads to millions of fields costs nothing.
 * A fragment that spreads itself counts as empty there; the standard rules refuse it by name.
 */
export function measureDocument(document: DocumentNode): Structure {
  const measure = measurer(indexFragments(document))
  const structures = listOperations(document).map(measure)
  const most = (what: keyof Structure) => Math.max(0, ...structures.map((one) => one[what]))
  return { depth: most('depth'), selections: most('selections'), aliases: most('aliases') }
}

/** The names of all fields that a document selects anywhere. */
export function fieldNames(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>()
  visit(document, { Field: (field) => void names.add(field.name.value) })
  return names
}

/**
 * The maximum number of times that a document selects the same name at the same place of the
 * answer. Only for a document of few selections and no fragment that spreads itself: it writes
 * fragments out.
 */
export function mostRepeats(document: DocumentNode): number {
  const fragments = indexFragments(document)
  let most = 0
  const places = new Map<string, number>()

  function walk(set: SelectionSetNode, place: string): void {
    for (const selection of set.selections) {
      const below = getSelectionSet(selection, fragments)
      if (selection.kind !== Kind.FIELD) {
        if (below !== undefined) walk(below, place)
        continue
      }
      const here = `${place}.${(selection.alias ?? selection.name).value}`
      const repeats = (places.get(here) ?? 0) + 1
      places.set(here, repeats)
      most = Math.max(most, repeats)
      if (below !== undefined) walk(below, here)
    }
  }

  for (const set of listOperations(document)) {
    places.clear()
    walk(set, '')
  }
  return most
}

function listOperations(document: DocumentNode): readonly SelectionSetNode[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : [],
  )
}

function indexFragments(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    }
  }
  return fragments
}

function getSelectionSet(
  selection: SelectionNode,
  fragments: Fragments,
): SelectionSetNode | undefined {
  if (selection.kind !== Kind.FRAGMENT_SPREAD) return selection.selectionSet
  return fragments.get(selection.name.value)?.selectionSet
}

const isAliased = (selection: SelectionNode) =>
  selection.kind === Kind.FIELD && selection.alias !== undefined

function measurer(fragments: Fragments): (set: SelectionSetNode) => Structure {
  const known = new Map<SelectionSetNode, Structure>()

  return function measure(set) {
    const measured = known.get(set)
    if (measured !== undefined) return measured
    known.set(set, { depth: 0, selections: 0, aliases: 0 })
    let [depth, selections, aliases] = [0, 0, 0]
    for (const selection of set.selections) {
      const inner = getSelectionSet(selection, fragments)
      const below = inner === undefined ? undefined : measure(inner)
      const level = selection.kind === Kind.FIELD ? 1 : 0
      depth = Math.max(depth, (below?.depth ?? 0) + level)
      selections += (below?.selections ?? 0) + 1
      aliases += (below?.aliases ?? 0) + (isAliased(selection) ? 1 : 0)
    }
    known.set(set, { depth, selections, aliases })
    return { depth, selections, aliases }
  }
}

/**
 * Refuses documents that select too deep or too much. It runs before the standard rules, some of
 * which take a time that is quadratic in the number of selections.
 */
export function structureRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      const { depth, selections, aliases } = measureDocument(document)
      const directives = countDirectives(document)
      const faults: readonly (readonly [number, number, ErrorCode, string])[] = [
        [depth, graphqlLimits.graphqlDepthMax, 'too_deep', `is ${depth} levels deep`],
        [
          selections,
          graphqlLimits.graphqlSelectionsMax,
          'too_many_selections',
          `makes ${selections} selections`,
        ],
        [aliases, graphqlLimits.graphqlAliasesMax, 'too_many_aliases', `has ${aliases} aliases`],
        [
          directives,
          graphqlLimits.graphqlDirectivesMax,
          'too_many_directives',
          `has ${directives} directives`,
        ],
      ]
      for (const [found, most, code, what] of faults) {
        if (found > most) context.reportError(refusal(code, what, most))
      }
      return false
    },
  }
}

/** Counts the directives in the text of a document. */
function countDirectives(document: DocumentNode): number {
  let directives = 0
  const count = () => {
    directives += 1
  }
  visit(document, { Directive: count })
  return directives
}

/** Refuses documents that say the same over and over; see `mostRepeats` for when it may run. */
export function repeatsRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      const repeats = mostRepeats(document)
      if (repeats > graphqlLimits.graphqlRepeatsMax) {
        const what = `selects one name ${repeats} times at one place`
        context.reportError(refusal('too_many_repeats', what, graphqlLimits.graphqlRepeatsMax))
      }
      return false
    },
  }
}

/**
 * Refuses introspection that asks for the same again and again: nothing counts its rows, and the
 * library writes its answer in one turn. Without aliases, each field is written once.
 */
export function introspectionRule(context: ValidationContext): ASTVisitor {
  let [types, aliases] = [0, 0]
  return {
    Field({ name: { value: name }, alias }) {
      if (name === '__type') types += 1
      else if (alias === undefined) return
      else if (name === '__schema' || context.getParentType()?.name.startsWith('__')) aliases += 1
    },
    Document: {
      leave() {
        const typesMax = graphqlLimits.graphqlTypesAskedMax
        const refuse = (...what: Parameters<typeof refusal>) =>
          context.reportError(refusal(...what))
        if (types > typesMax) refuse('too_complex', `selects __type ${types} times`, typesMax)
        if (aliases > 0) refuse('too_many_aliases', `has ${aliases} aliases in introspection`, 0)
      },
    },
  }
}

function refusal(code: ErrorCode, what: string, max: number): GraphQLError {
  return new GraphQLError(`The document ${what}; ${max} are allowed.`, { extensions: { code } })
}
