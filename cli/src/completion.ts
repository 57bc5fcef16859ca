import type { Command } from './command.ts'
import { findNoun, loadCommands, nouns } from './commands.ts'
import { listOptions, wantedName } from './program.ts'

/**
 * Completes a command line: the words that may stand in place of its last one, which may be empty.
 * Only the module of the command that the line names is loaded.
 */
export async function wordsFor(
  line: readonly string[],
  others: readonly string[],
): Promise<string[]> {
  const last = line.at(-1) ?? ''
  const before = line.slice(0, -1)
  const commands = await loadCommands(findNoun(before))
  const names = [...Object.keys(nouns), ...Object.keys(commands), ...others]
  const found = nextWords(names, before)
  const name = wantedName(before, commands)
  const command = name === undefined ? undefined : await commands[name]?.load()
  if (command !== undefined && name !== undefined) {
    found.push(...completeWords(command, before.slice(name.split(' ').length)))
  }
  return [...new Set(found)].filter((word) => word.startsWith(last)).sort()
}

/** The words behind the given ones in the names of commands. */
function nextWords(names: readonly string[], words: readonly string[]): string[] {
  return names.flatMap((name) => {
    const parts = name.split(' ')
    const next = parts[words.length]
    return next !== undefined && words.every((word, at) => parts[at] === word) ? [next] : []
  })
}

/** Options that may still be given; behind one with a value, and for an operand, their choices. */
function completeWords(command: Command, given: readonly string[]): readonly string[] {
  const options = listOptions(command)
  const open = options[given.at(-1)?.replace(/^--/, '') ?? '']
  if (open !== undefined && given.at(-1)?.startsWith('--') && !open.flag) return open.choices ?? []
  const names = Object.entries(options)
    .filter(([name, { many }]) => many || !given.includes(`--${name}`))
    .map(([name]) => `--${name}`)
  const operand = command.operand === undefined ? undefined : options[command.operand]
  return [...(operand?.choices ?? []), ...names, '--help']
}
