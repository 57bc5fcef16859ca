import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import type { Request } from 'graphql-http'
import { Fault, type Logger } from '../../../foundation/kernel/index.ts'
import { formatError } from '../errors.ts'
import type { Documents } from '../execution/documents.ts'
import { type Explanation, explain } from '../limits/check-cost.ts'
import { readParams } from './request.ts'

export type ExplainOptions = {
  readonly schema: GraphQLSchema
  readonly documents: Documents
  readonly logger: Logger
}

/** The answer to a request of which nothing is run: what it may cost, or the errors it has. */
export type ExplainAnswer = { readonly data: null } | { readonly errors: readonly object[] }

/** Returns whether a request asks for its cost: `?explain`, or `?explain=true`. */
export function asksToExplain(url: string): boolean {
  const value = new URLSearchParams(url.split('?')[1] ?? '').get('explain')
  return value !== null && value !== 'false'
}

/** @throws Fault `malformed_request`, `invalid_argument`, `list_too_long` */
export async function explainRequest<Context>(
  { schema, documents, logger }: ExplainOptions,
  asked: Request<IncomingMessage, Context>,
): Promise<{ readonly answer: ExplainAnswer; readonly explanation?: Explanation }> {
  const params = await readParams(asked)
  const prepared = documents.prepare(params.query)
  const answerErrors = (errors: readonly unknown[]) => ({
    answer: { errors: errors.map((error) => formatError(error, logger)) },
  })
  if (!('document' in prepared)) return answerErrors(prepared)
  const found = explain(schema, {
    document: prepared.document,
    operationName: params.operationName ?? undefined,
    variables: params.variables ?? undefined,
  })
  if (found === undefined) {
    throw new Fault('invalid_argument', 'operationName names no operation.')
  }
  return 'cost' in found ? { answer: { data: null }, explanation: found } : answerErrors(found)
}
