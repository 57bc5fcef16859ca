import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { commonOptions } from '../../../../../cli/src/program.ts'
import { everyCommand } from '../../../fixtures/processes/commands.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..', '..')
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !/^(?:adr|reference\/cli)/.test(path))
  .map((path) => join('docs', path))

type Known = ReadonlyMap<string, ReadonlySet<string>>

/** Returns what is wrong with the command lines of a text, a sentence each. */
function findFaults(text: string, known: Known): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ')
  const lines = joined.matchAll(/npx millrace ([a-z][^\n`|;)>&]*)/g)
  return [...lines].flatMap(([, line = '']) => {
    const words = line.trim().split(/\s+/)
    const name = [3, 2, 1].map((count) => words.slice(0, count).join(' ')).find((n) => known.has(n))
    if (name === undefined) return isGroup(words, known) ? [] : [`there is no command: ${line}`]
    const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.slice(2))
    const missing = options.filter((option) => !known.get(name)?.has(option.replace(/[=,].*/, '')))
    return missing.map((option) => `millrace ${name} has no option --${option}`)
  })
}

/** The first word of commands alone, in a sentence about all of them. */
function isGroup(words: readonly string[], known: Known): boolean {
  return words.length === 1 && [...known.keys()].some((name) => name.startsWith(`${words[0]} `))
}

it('every command line of a page names a command and options that are there', async () => {
  const commands = (await everyCommand()).map(({ name, options }) => {
    return [
      name,
      new Set([...Object.keys(options), ...Object.keys(commonOptions), 'help']),
    ] as const
  })
  const known = new Map(commands)
  const faults = pages.flatMap((page) =>
    findFaults(readFileSync(join(root, page), 'utf8'), known).map((fault) => `${page}: ${fault}`),
  )
  assert.deepEqual(faults, [])
  assert.deepEqual(findFaults('`npx millrace device` and', known), [])
  assert.deepEqual(findFaults('`npx millrace device fly`', known).length, 1)
  assert.deepEqual(findFaults('`npx millrace fly`', known), ['there is no command: fly'])
  assert.deepEqual(findFaults('`npx millrace device list --high`', known).length, 1)
})
