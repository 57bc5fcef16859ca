import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { allCommands } from '../../../cli/src/commands.ts'
import { type Examples, openExamples } from '../fixtures/commands/examples.ts'
import { moreLines } from '../fixtures/commands/more-lines.ts'
import { CommandRecord } from '../fixtures/commands/record.ts'
import { everyCommand } from '../fixtures/processes/commands.ts'
import { suiteContext } from '../fixtures/suite.ts'

const all = await everyCommand()
const commands = await allCommands()
/** They run until they are stopped, ask for a login of a person, or have a place of their own. */
const notAlone = new Set([
  ...['serve', 'solution dev', 'login', 'logout', 'business create', 'insight new', 'insight dev'],
  // They are for people who have logged in: spec/api/client/accounts-command.test.ts runs them.
  ...['totp show', 'totp begin', 'totp confirm', 'totp codes', 'totp remove', 'user totp-remove'],
  ...['password change', 'preference show', 'preference units'],
])
/** They are made by hand, print how long something took, or write what is large. */
const notCompared = new Set([
  ...['device simulate', 'solution test', 'solution run', 'solution replay', 'solution stubs'],
  ...['ledger show', 'upkeep confirm', 'business health', 'business usage'],
  ...['audit list', 'audit export'],
])
const shortcuts = ['first head', 'last tail']
  .map((pair) => pair.split(' '))
  .map(([name, program]) => `${name}() { npx millrace "$@" | ${program} -n 1 | cut -d' ' -f1; }\n`)
  .join('')
const recorded = join(import.meta.dirname, '..', 'fixtures', 'commands', 'recorded.txt')

describe('every command, as it was recorded', () => {
  const suite = suiteContext()
  const record = new CommandRecord(all.map(({ name }) => name))
  let examples: Examples

  before(async () => {
    examples = await openExamples(suite, record.run)
  })

  for (const { name, example } of all.filter(({ name }) => !notAlone.has(name))) {
    it(`${name}: the example of its help works`, async () => {
      await examples.works(example)
      if (Object.hasOwn(commands, name) && !notCompared.has(name)) {
        await record.keepExample(name, examples.onlooker)
      }
    })
  }

  it('prints what it did, also with other words', async () => {
    for (const line of moreLines) {
      const whole = line.replaceAll(/(^|[( ])millrace (?=[a-z-])/g, '$1npx millrace ')
      await examples.paste(`${shortcuts}${whole}`).catch(() => undefined)
      record.keep(line)
    }
  })

  // A second business would make the others ask for its name: it comes last.
  it('business create: the example of its help works', async () => {
    const [create] = all.filter(({ name }) => name === 'business create')
    await examples.works(create?.example ?? '')
    await record.keepExample('business create', examples.onlooker)
  })

  it('is as the file says; where a change is meant, the new lines replace it', () => {
    const text = `${record.lines.join('\n')}\n`
    const now = join(tmpdir(), 'commands-recorded.txt')
    writeFileSync(now, text)
    assert.deepEqual(text.split('\n'), readFileSync(recorded, 'utf8').split('\n'), `see ${now}`)
  })
})
