import { type Logger as Pino, pino } from 'pino'

/** What the process tells its operator. Secrets never go in: not in a field, not in a message. */
export type Logger = Pick<Pino, 'debug' | 'info' | 'warn' | 'error'>

/** JSON lines on standard error, so that standard output stays for what a command was asked for. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2))
}
