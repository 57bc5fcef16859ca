import type { ErrorResponse } from './protocol.ts'

/** The closed catalogue of what a served module refuses, and the name on the wire. */
const catalogue = {
  InvalidRequest: 400,
  Unauthorized: 401,
  NotFound: 404,
  MethodNotAllowed: 405,
  TooLarge: 413,
  InternalError: 500,
  Timeout: 504,
} as const

type Name = keyof typeof catalogue

/** A failure that is sent to the caller. Thrown in `process`, it stops the pipeline. */
export class ModuleError extends Error {
  override readonly name: Name
  readonly status: number

  constructor(name: Name, message: string) {
    super(message)
    this.name = name
    this.status = catalogue[name]
  }
}

/** A definition that cannot be served; the message names every fault in it. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'

  constructor(subject: string, faults: readonly string[]) {
    super(`${subject} cannot be served:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
  }
}

/** The body of a failure. An error that is not a ModuleError shows only that it happened. */
export function toErrorResponse(thrown: unknown): ErrorResponse {
  if (thrown instanceof ModuleError) {
    return { message: thrown.message, status: thrown.status, name: thrown.name }
  }
  return { message: 'The module failed.', status: 500, name: 'InternalError' }
}
