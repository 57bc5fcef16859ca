import {
  Argument,
  type OutputConfiguration,
  Command as Program,
  Option as ProgramOption,
} from 'commander'
import type { Command, Option } from './command.ts'
import { findNoun, groups, loadCommands, nouns } from './commands.ts'
import type { Invocation, OutputStream } from './invocation.ts'

/** The options that every command of the API takes. */
export const commonOptions: Readonly<Record<string, Option>> = {
  url: { meaning: 'The address of the instance.' },
  profile: { meaning: 'The login to use; see millrace login.' },
  business: { meaning: 'The name or id of the business, for the operator of an instance.' },
  json: { meaning: 'Print data as JSON, in the shape of the API.', flag: true },
  'no-color': { meaning: 'Print without colours, as NO_COLOR does.', flag: true },
  yes: { meaning: 'Do not ask before something is removed.', flag: true },
}

/** A parsed command line: the command and the values of its options. */
export type Parsed = {
  readonly name: string
  readonly command: Command
  /** By the names of the options. */
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

export type ProgramOptions = Pick<Invocation, 'stdout' | 'stderr'> & {
  /** Commands that run beside the instance, for the list alone. */
  readonly local: Readonly<Record<string, { readonly summary: string }>>
  readonly version: string
}

/**
 * Parses a command line with commander; only the commands of its own noun are loaded.
 * @throws CommanderError where it prints help, or the command line is wrong.
 */
export async function parseCommandLine(
  args: readonly string[],
  { local, version, stdout, stderr }: ProgramOptions,
): Promise<Parsed | undefined> {
  const program = ownProgram(new Program('millrace'))
    .configureOutput(configureOutput(stdout, stderr))
    .version(version)
    .usage('<command> [options]')
    .addHelpText('after', '\nmillrace <command> --help explains one. Exit codes: 0 done, 1 failed,')
    .addHelpText('after', '2 a wrong command line, 3 no valid credential or not permitted.')
  const commands = await loadCommands(findNoun(args[0] === 'help' ? args.slice(1) : args))
  const wanted = wantedName(args, commands)
  let parsed: Parsed | undefined
  for (const noun of Object.keys(nouns)) makeLeaf(program, noun)
  for (const [name, { summary }] of [...Object.entries(commands), ...Object.entries(local)]) {
    const leaf = makeLeaf(program, name).summary(summary).description(summary)
    if (name !== wanted) continue
    const command = await commands[name]?.load()
    if (command === undefined) continue
    addOptions(leaf, command)
    leaf.action(() => {
      parsed = { name, command, values: readValues(leaf, command) }
    })
  }
  await program.parseAsync([...args], { from: 'user' })
  return parsed
}

/** Output of commander, as wide as the terminal. */
function configureOutput(stdout: OutputStream, stderr: OutputStream): OutputConfiguration {
  const terminalWidth = ({ isTTY, columns }: OutputStream) => (isTTY === true ? columns : undefined)
  return {
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => terminalWidth(stdout) ?? 80,
    getErrHelpWidth: () => terminalWidth(stderr) ?? 80,
  }
}

function ownProgram(program: Program): Program {
  return program
    .exitOverride()
    .showHelpAfterError('(--help explains it)')
    .showSuggestionAfterError()
    .helpOption('-h, --help', 'Explain it.')
}

/** The longest name of a command that the line begins with. */
export function wantedName(args: readonly string[], commands: object): string | undefined {
  const words = args.filter((word) => !word.startsWith('-'))
  const names = [3, 2, 1].map((count) => words.slice(0, count).join(' '))
  return names.find((name) => Object.hasOwn(commands, name))
}

/** The commander object of a name; those of its first words are made where they are missing. */
function makeLeaf(program: Program, name: string): Program {
  let parent = program
  for (const [at, word] of name.split(' ').entries()) {
    const known = parent.commands.find((one) => one.name() === word)
    parent = known ?? ownProgram(parent.command(word)).description(topicFor(name, at + 1))
  }
  return parent
}

function topicFor(name: string, words: number): string {
  const group = name.split(' ').slice(0, words).join(' ')
  return nouns[group]?.about ?? groups[group] ?? ''
}

/** The options of a command and the common ones; those of a login take the place of common ones. */
export function listOptions(command: Command): Readonly<Record<string, Option>> {
  const own = Object.entries(command.options)
  const common = Object.entries(commonOptions)
  return Object.fromEntries([...own, ...common.filter(([name]) => !(name in command.options))])
}

function addOptions(leaf: Program, command: Command): void {
  const operands = listOperands(command)
  for (const name of operands) leaf.addArgument(makeArgument(name, command.options[name]))
  for (const [name, option] of Object.entries(listOptions(command))) {
    const given = new ProgramOption(formatOption(name, option), option.meaning)
    if (option.default !== undefined) given.default(option.default)
    if (option.choices !== undefined) given.choices(option.choices)
    if (option.many) given.argParser((value, before: string[] = []) => [...before, value])
    // An operand may stand in place of its option.
    if (option.required && !operands.includes(name)) given.makeOptionMandatory()
    leaf.addOption(given)
  }
  leaf.addHelpText('after', `\nExample:\n  ${command.example}`)
}

/** The options that may be given by their values alone, in their order. */
function listOperands({ operand, secondOperand }: Command): readonly string[] {
  return [operand, secondOperand].filter((name) => name !== undefined)
}

function makeArgument(name: string, option: Option | undefined): Argument {
  const argument = new Argument(`[${name}]`, option?.meaning)
  return option?.choices === undefined ? argument : argument.choices(option.choices)
}

function formatOption(name: string, { flag }: Option): string {
  return flag ? `--${name}` : `--${name} <value>`
}

function readValues(leaf: Program, command: Command): Parsed['values'] {
  const given = leaf.opts() as Record<string, never>
  const names = Object.entries(listOptions(command))
  const values = names.map(([name, option]) => {
    // commander has `--no-color` as `color: false`.
    if (name === 'no-color') return [name, given.color === false] as const
    const value = given[name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase())]
    if (option.flag) return [name, value === true] as const
    return [name, value ?? (option.many ? [] : undefined)] as const
  })
  const parsed: Record<string, Parsed['values'][string]> = Object.fromEntries(values)
  for (const [at, operand] of listOperands(command).entries()) {
    if (leaf.args[at] !== undefined) parsed[operand] = leaf.args[at]
    if (parsed[operand] === undefined && command.options[operand]?.required) {
      leaf.error(`error: required option '--${operand} <value>' not specified`)
    }
  }
  return parsed
}
