import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { Fault, toFault } from '../../../foundation/kernel/index.ts'

/** The operation of a document that is to be run. @throws Fault invalid_argument */
export function getOperation(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode {
  const found = getOperationAST(document, name)
  if (found) return found
  const { length } = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  throw new Fault('invalid_argument', withoutOperation(length, name))
}

function withoutOperation(count: number, name: string | null | undefined): string {
  if (name != null) return `The document has no operation "${name}".`
  return `The document has ${count} operations: operationName says which one is to be run.`
}

export function isSubscription(document: DocumentNode, name: string | null | undefined): boolean {
  return getOperationAST(document, name)?.operation === OperationTypeNode.SUBSCRIPTION
}

/** A fault as the GraphQL library returns the errors of a document. */
export function asGraphqlError(error: unknown): GraphQLError {
  const fault = toFault(error)
  return new GraphQLError(fault.detail, { originalError: fault })
}
