import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
} from 'graphql'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { graphqlLimits } from '../limits.ts'
import { computeCost, type Estimate, type EstimateOptions, estimate } from './estimate.ts'
import { findDearest, type Smaller, smallerThan } from './smaller-document.ts'

/** A document to be run, as the request names it. */
export type AskedDocument = {
  readonly document: DocumentNode
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

/** `extensions.explain`: what a document may cost, and how it would cost less. */
export type Explanation = {
  readonly cost: number
  readonly rows: number
  readonly statements: number
  /** The most that one request may cost. */
  readonly limit: number
  /** True if it would be run. */
  readonly passes: boolean
  readonly dearest: { readonly path: string; readonly rows: number; readonly cost: number } | null
  /** The same document with smaller limits; null if it passes, or no limit makes it pass. */
  readonly smaller: Smaller | null
}

type Parsed = EstimateOptions | readonly GraphQLError[] | undefined

/** Undefined, or errors, for what the run refuses. */
function optionsFor(schema: GraphQLSchema, asked: AskedDocument): Parsed {
  const { document, operationName, variables: given } = asked
  const operation = getOperationAST(document, operationName)
  if (!operation) return undefined
  const definitions = operation.variableDefinitions ?? []
  const found = { schema, document, operation, coerced: new Map() }
  if (definitions.length === 0) return { ...found, variables: undefined }
  const { errors, variableValues } = getVariableValues(schema, definitions, given ?? {}, {
    maxErrors: graphqlLimits.graphqlErrorsMax,
  })
  return errors ?? { ...found, variables: variableValues }
}

const isOptions = (parsed: Parsed): parsed is EstimateOptions =>
  parsed !== undefined && 'document' in parsed

/** Documents without variables cost the same each time. */
const passed = new WeakSet<DocumentNode>()

/**
 * Refuses a document that may cost too much, before anything of it is run.
 * @returns the errors of its variables.
 * @throws Fault `cost_exceeded`, `list_too_long`
 */
export function requireAffordable(
  schema: GraphQLSchema,
  asked: AskedDocument,
): readonly GraphQLError[] {
  const { document, variables } = asked
  if (passed.has(document)) return []
  const options = optionsFor(schema, asked)
  if (!isOptions(options)) return options ?? []
  const found = estimate(options)
  if (found.cost > limits.graphqlCostMax) {
    throw new Fault('cost_exceeded', formatEstimate(found, smallerThan(options, variables)))
  }
  const isAlone = document.definitions.filter(({ kind }) => kind === options.operation.kind)
  if (options.variables === undefined && isAlone.length === 1) passed.add(document)
  return []
}

/**
 * Explains what a document may cost, without running it.
 * @returns the errors of its variables, or undefined if the operation is not there.
 * @throws Fault `list_too_long`
 */
export function explain(
  schema: GraphQLSchema,
  asked: AskedDocument,
): Explanation | readonly GraphQLError[] | undefined {
  const options = optionsFor(schema, asked)
  if (!isOptions(options)) return options
  const found = estimate(options)
  const { rows, statements, cost } = found
  const dearest = findDearest(found)
  const passes = cost <= limits.graphqlCostMax
  return {
    cost,
    rows,
    statements,
    limit: limits.graphqlCostMax,
    passes,
    dearest: dearest
      ? { path: dearest.path, rows: dearest.rows, cost: computeCost(dearest) }
      : null,
    smaller: passes ? null : (smallerThan(options, asked.variables) ?? null),
  }
}

function formatEstimate(found: Estimate, smaller: Smaller | undefined): string {
  const most = `The document may cost ${found.cost}; ${limits.graphqlCostMax} is allowed.`
  const dearest = `The dearest field is ${findDearest(found)?.path}.`
  return `${most} ${dearest}${smaller ? ` With ${smaller.change} it runs.` : ''}`
}
