import { Fault } from '../kernel/index.ts'
import type { RowError } from './generated/resolvers.ts'

/** The error of one of several rows. @throws what ends the request, or is nobody's doing. */
export function rowErrorOf(error: unknown): RowError {
  const isOurs = !(error instanceof Fault) || error.code === 'internal'
  if (isOurs || error.code === 'too_complex' || error.code === 'time_exceeded') throw error
  return { code: error.code, message: error.detail }
}
