import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groups, nouns } from '../../../../../cli/src/commands.ts'
import { commonOptions } from '../../../../../cli/src/program.ts'
import { everyCommand } from '../../../fixtures/processes/commands.ts'

/** Options that every command has beside the common ones. */
const builtIn = ['help', 'version']

/** Commands whose option takes the place of a common one, with the reason. */
const replacing: Readonly<Record<string, string>> = {
  'login --url': 'a login names its instance: it is required',
  'login --profile': 'the name of what is kept has a default',
  'logout --profile': 'as for login',
}

type Listed = {
  readonly name: string
  readonly options: Readonly<Record<string, { readonly flag?: true }>>
}

/** Returns a sentence for each option that stands in the place of a common one. */
function findShadows(commands: readonly Listed[], allowed: object): string[] {
  return commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { flag }]) => {
      const common = commonOptions[option]
      if (common === undefined && !builtIn.includes(option)) return []
      const place = `${name} --${option}`
      if (common === undefined) return [`${place} is an option of every command`]
      if (common.flag !== flag) return [`${place} takes ${flag ? 'no' : 'a'} value here alone`]
      return Object.hasOwn(allowed, place) ? [] : [`${place} is an option of every command`]
    }),
  )
}

describe('the options of commands', () => {
  it('leave the common ones as they are, but for those that are listed', async () => {
    const commands = await everyCommand()
    assert.deepEqual(findShadows(commands, replacing), [])
    assert.deepEqual(findShadows(commands, {}).length, Object.keys(replacing).length)
  })

  it('are compared by name, and by whether they take a value', () => {
    const commands: readonly Listed[] = [
      { name: 'noun verb', options: { business: {}, own: {}, json: {} } },
      { name: 'login', options: { url: { flag: true }, profile: {}, help: { flag: true } } },
    ]
    assert.deepEqual(findShadows(commands, replacing), [
      'noun verb --business is an option of every command',
      'noun verb --json takes a value here alone',
      'login --url takes no value here alone',
      'login --help is an option of every command',
    ])
  })
})

describe('the help of commands', () => {
  it('says of each first word what its commands are about', async () => {
    const firsts = (await everyCommand()).flatMap(({ name }) => {
      const words = name.split(' ')
      return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '))
    })
    const own = new Set([...Object.keys(nouns), ...Object.keys(groups), 'backup'])
    const missing = [...new Set(firsts)].filter((word) => !own.has(word))
    assert.deepEqual(missing, [])
  })
})
