import { Fault, type Logger } from '../../../foundation/kernel/thread/index.ts'
import type { Ended, StopLimit } from './engine.ts'
import type { ScriptError } from './value.ts'

/** The one table of how failures are called: what the caller did wrong, and the rest. */
export function scriptError(status: number, error: string): ScriptError {
  return { type: status < 500 ? 'QueryError' : 'ServerError', error, status }
}

/** The error that a script receives for one of a service; `internal` if it is no Fault. */
export function toScriptError(thrown: unknown, logger: Logger): ScriptError {
  if (thrown instanceof Fault && thrown.code !== 'internal') {
    return scriptError(thrown.status, thrown.detail)
  }
  logger.error({ err: thrown }, 'a service of the scripts failed')
  return scriptError(500, 'internal')
}

const statusOfLimit: Readonly<Record<StopLimit, number>> = {
  time: 504,
  cpu: 504,
  memory: 507,
  value: 413,
  service_calls: 429,
  depth: 429,
  queue: 429,
  quota: 429,
  worker: 503,
  body: 400,
}

export function stopped(limit: StopLimit, error: string): Extract<Ended, { kind: 'stopped' }> {
  return { kind: 'stopped', limit, error: scriptError(statusOfLimit[limit], error) }
}
