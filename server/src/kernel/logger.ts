import { type Logger as Pino, pino } from 'pino'

/**
 * The log of the process, for its operator. It contains no secrets: not in a field, not in a
 * message.
 */
export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error'>

/** The fields of an error that are logged; drivers attach whole connections to theirs. */
type Said = {
  readonly message: string
  readonly code?: unknown
  readonly stack?: string
  readonly cause?: Said
}

/** JSON lines on standard error, so that standard output has the result of a command alone. */
export function createLogger(level: string): Logger {
  const { isoTime } = pino.stdTimeFunctions
  const options = { level, base: null, timestamp: isoTime, serializers: { err: sayError } }
  const destination = pino.destination(2)
  // Whoever read it may be gone, as a closed terminal is: that must not end the process midway.
  destination.on('error', () => {})
  return pino(options, destination)
}

function sayError(error: unknown): Said {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  return {
    message,
    ...code,
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined ? {} : { cause: sayError(cause) }),
  }
}
