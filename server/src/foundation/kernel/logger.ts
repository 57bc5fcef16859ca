import { type DestinationStream, type LoggerOptions, type Logger as Pino, pino } from 'pino'
import { RepeatedLines } from './async/repeated-lines.ts'

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
export function createLogger(level: string, destination = standardError()): Logger {
  const { isoTime } = pino.stdTimeFunctions
  const options = { level, base: null, timestamp: isoTime, serializers: { err: sayError } }
  return pino({ ...options, hooks: { logMethod: withoutRepeats() } }, destination)
}

/** The number of the level `warn`. */
const warning = 40

function standardError(): DestinationStream {
  const destination = pino.destination(2)
  // Whoever read it may be gone, as a closed terminal is: that must not end the process midway.
  destination.on('error', () => {})
  return destination
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/** Warnings and errors that repeat are counted, whoever logs them. */
function withoutRepeats(): LogMethod {
  const lines = new RepeatedLines()
  return function log(args, write, level) {
    const [fields, message] = args
    const sum = (repeated: number) => write.call(this, { repeated }, message)
    const isFailure = level >= warning && message !== undefined
    if (!isFailure || lines.admits(message, fields, sum)) write.apply(this, args)
  }
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
