import type { MillraceClient } from '@millrace/client'
import type { Call } from './call.ts'
import type { Connection } from './connection/connection.ts'
import type { Input } from './input.ts'
import type { Invocation } from './invocation.ts'
import type { Output } from './output/output.ts'

export { UsageError } from './invocation.ts'

export type Option = {
  readonly meaning: string
  readonly required?: boolean
  readonly default?: string
  /** The only values that it takes. */
  readonly choices?: readonly string[]
  /** It has no value. */
  readonly flag?: true
  /** It may be given several times. */
  readonly many?: true
}

export type Options = Readonly<Record<string, Option>>

type ValueOf<Given extends Option> = Given extends { readonly flag: true }
  ? boolean
  : Given extends { readonly many: true }
    ? readonly string[]
    : Given extends { readonly required: true } | { readonly default: string }
      ? string
      : string | undefined

/** The values of a command line, by the names of the options. */
export type Values<Given extends Options> = {
  readonly [Name in keyof Given]: ValueOf<Given[Name]>
}

/** The environment of a command, beside its options. */
export type Context = {
  /**
   * The client of the instance that the command line means. @throws UsageError without one.
   * `timeoutMs`: how long an answer may take to begin, where that is longer than usual.
   */
  client(options?: { readonly timeoutMs?: number }): Promise<MillraceClient>
  /** Calls an operation of the API by its id. @throws UsageError without an instance, ApiError */
  readonly call: Call
  /** The same instance, and how it was found. @throws UsageError without one. */
  connection(): Connection
  readonly out: Output
  readonly input: Input
  readonly invocation: Invocation
  /** True with `--yes`. */
  readonly isConfirmed: boolean
  /** Asks before something is destroyed; `--yes` answers. @throws UsageError without an answer. */
  confirm(question: string): Promise<void>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** A sub-command of `millrace`. */
export type Command<Given extends Options = Options> = {
  readonly options: Given
  /** The option that may be given by its value alone. */
  readonly operand?: keyof Given & string
  /** The option that may be given by its value alone, behind the operand. */
  readonly secondOperand?: keyof Given & string
  /** A command line that works on the instance that `npm start` makes. */
  readonly example: string
  /** The ids of the API's routes that it calls. */
  readonly routes: readonly string[]
  /** Returns the exit code; nothing for 0. */
  run(values: Values<Given>, context: Context): Promise<number | undefined> | Promise<void>
}

/** A command before it is loaded. */
export type Entry = {
  /** A sentence for the list of commands; of a command of one word its noun has it. */
  readonly summary?: string
  load(): Promise<Command>
}

/** Gives the options of a command their types. */
export function defineCommand<const Given extends Options>(command: Command<Given>): Command {
  // The parser gives each option the value that its definition says.
  return command as unknown as Command
}

/** A command made by hand, with its sentence for the list. */
export function command<const Given extends Options>(summary: string, made: Command<Given>): Entry {
  return { summary, load: async () => defineCommand(made) }
}

/** The exit codes of every command. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** There is no valid credential, or it does not permit this. */
  refused: 3,
  /** Ctrl-C. */
  interrupted: 130,
} as const
