import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Invocation, pathIn, UsageError } from '@millrace/cli/invocation'
import { applyLimits, createLogger } from '../../foundation/kernel/index.ts'
import { openPlatform } from '../../main.ts'
import { type Config, readConfig } from '../config/index.ts'
import type { Platform } from '../platform.ts'
import { unlessInterrupted } from './signals.ts'

export { type Invocation, pathIn, UsageError }

/** A sub-command of `millrace`. */
export type Command = {
  /** The words that call it, such as `token create`. */
  readonly name: string
  /** A line for the list of commands. */
  readonly summary: string
  /** Its options, with their meanings. */
  readonly options: Readonly<Record<string, Option>>
  /** The option that may be given by its value alone. */
  readonly operand?: string
  /** A command line that works on the instance that `npm start` makes. */
  readonly example: string
  run(values: Readonly<Record<string, string | undefined>>, invocation: Invocation): Promise<number>
}

export type Option = {
  readonly meaning: string
  readonly required?: boolean
  readonly default?: string
  /** It has no value: if given, it is `yes`. */
  readonly flag?: true
}

/** Reads the options of a command line. @throws UsageError */
export function parseOptions(command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { flag }]) => {
      const type = flag === true ? ('boolean' as const) : ('string' as const)
      return [name, { type }]
    }),
  )
  let given: Readonly<Record<string, Given>>
  try {
    const said = parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
    given = { ...readOperand(command, said.positionals), ...said.values }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const values: Record<string, string | undefined> = {}
  for (const [name, option] of Object.entries(command.options)) {
    const value = given[name]
    values[name] = toText(value) ?? option.default
    if (option.required === true && values[name] === undefined) {
      throw new UsageError(`--${name} is missing`)
    }
  }
  return values
}

type Given = string | boolean | undefined

function toText(value: Given): string | undefined {
  return typeof value === 'boolean' ? 'yes' : value
}

function readOperand({ operand }: Command, [first, ...more]: readonly string[]) {
  if (first === undefined) return {}
  const surplus = operand === undefined ? first : more[0]
  if (surplus !== undefined) throw new Error(`"${surplus}" is one word too many`)
  return { [operand ?? '']: first }
}

export function formatHelp(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const preset = option.default === undefined ? '' : ` Default: ${option.default}.`
    const required = option.required === true ? ' Required.' : ''
    return `  --${name.padEnd(14)} ${option.meaning}${required}${preset}`
  })
  return [
    `millrace ${command.name}: ${command.summary}`,
    ...(options.length === 0 ? [] : ['', 'Options:', ...options]),
    '',
    'Example:',
    `  ${command.example}`,
    '',
  ].join('\n')
}

/**
 * Reads the configuration of the instance that this folder and environment name, and applies its
 * limits to this process. Call it before anything of the platform is created.
 */
export function ownConfig({ env, folder }: Pick<Invocation, 'env' | 'folder'>): Config {
  const config = readConfig(env, resolve(folder))
  applyLimits(config.limits)
  return config
}

/**
 * Opens the instance beside a running one, or alone, for one piece of work.
 * @throws Interrupted if a signal comes meanwhile; all is closed by then.
 */
export async function withPlatform<Result>(
  invocation: Invocation,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result> {
  const config = ownConfig(invocation)
  const logger = createLogger(config.logLevel)
  const interrupted = unlessInterrupted(invocation.signal, () => config)
  // It may come while the engine starts, and is then seen below.
  interrupted.catch(() => {})
  const platform = await openPlatform({ config, logger, owner: false })
  return Promise.race([work(platform), interrupted]).finally(() => platform.close())
}

export function print({ stdout }: Pick<Invocation, 'stdout'>, line: string): void {
  stdout.write(`${line}\n`)
}
