import { parseArgs } from 'node:util'
import type { Given, Options } from './bench.ts'

const usual = { rounds: 5, seconds: 4 }
const most: Readonly<Record<string, number>> = { rounds: 100, seconds: 600, connections: 2_000 }

/**
 * Reads `--rounds`, `--seconds`, `--engine`, `--profile <folder>` and the options of the bench.
 * @throws Error with a sentence if a number is out of bounds.
 */
export function readArguments<Option extends string>(options: Options<Option>): Given<Option> {
  const numbers: Readonly<Record<string, number>> = { ...usual, ...options }
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(Object.keys(numbers).map((name) => [name, { type: 'string' }])),
      engine: { type: 'string' },
      profile: { type: 'string' },
    } as Readonly<Record<string, { type: 'string' }>>,
  })
  const read = ([name, number]: [string, number]) => [name, bounded(name, values[name] ?? number)]
  const given = Object.fromEntries(Object.entries(numbers).map(read))
  return { ...given, profileDir: values.profile, engine: values.engine } as Given<Option>
}

function bounded(name: string, given: string | number): number {
  const number = Number(given)
  const highest = most[name] ?? Number.MAX_SAFE_INTEGER
  if (number >= 1 && number <= highest) return number
  throw new Error(`--${name} is from 1 to ${highest}`)
}
