import { strict as assert } from 'node:assert'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../fixtures/commands/command-line.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { definition, without } from '../../fixtures/wire/market.ts'

describe('the commands of millrace listing', () => {
  const context = suiteContext()
  let instance: TestPlatform
  let run: RunCommand
  let file: string

  before(async () => {
    instance = await testPlatform(context)
    run = runsCommands(instance)
    file = join(instance.platform.config.dataDir, 'definition.json')
  })

  it('publishes a file, shows, changes, lists and removes the listing', async () => {
    await writeFile(file, JSON.stringify(definition()))
    const published = await run('listing', 'publish', '--file', file, '--public')
    const id = published.stdout.trim()
    assert.match(id, /^[a-z0-9]+$/, published.stderr)
    const shown = await run('listing', 'show', id)
    assert.match(shown.stdout, /base +https:\/\/insight\.example\.com\/v1\n/)
    assert.match(shown.stdout, /"swagger":"2\.0"/)
    const change = ['--base', 'https://new.example', '--visibility', 'private', '--name', 'New']
    const changed = await run('listing', 'change', id, ...change)
    assert.equal(changed.stdout, `the listing ${id} is at https://new.example/\n`)
    const listed = (await run('listing', 'list')).stdout
    assert.match(listed, new RegExp(`^${id} +private +https://new\\.example/ +New\n$`))
    assert.equal((await run('listing', 'remove', id, '--yes')).code, 0)
    assert.equal((await run('listing', 'show', id)).code, 1)
  })

  it('prints what breaks the rules, or accepts it', async () => {
    await writeFile(file, JSON.stringify(without('tags')))
    const refused = await run('listing', 'publish', '--file', file)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /\/tags: there is no entry named insight/)
    const accepted = await run('listing', 'publish', '--file', file, '--tolerant')
    assert.equal(accepted.code, 0, accepted.stderr)
    assert.match(accepted.stderr, /\/tags: there is no entry named insight/)
    const two = ['--file', file, '--definition-url', 'https://a.example']
    assert.equal((await run('listing', 'publish', ...two)).code, 2)
  })
})
