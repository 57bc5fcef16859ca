import { strict as assert } from 'node:assert'
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { wholeView } from '../../../src/groups/index.ts'
import { errorCatalogue, limits } from '../../../src/kernel/index.ts'
import { type Answer, graphqlFixture } from '../../fixtures/wire/graphql.ts'

const page = join(import.meta.dirname, '../../../../docs/reference/graphql.md')
const inPage = 'http://127.0.0.1:8080/api/graphql'
const noCurl = spawnSync('curl', ['--version']).error !== undefined && 'curl is not installed'

test('the commands of the reference page work as they stand', { skip: noCurl }, async (t) => {
  const fixture = await graphqlFixture(t)
  const text = await readFile(page, 'utf8')
  const commands = [...text.matchAll(/```sh\n(curl [^`]+)```/g)].map((match) => match[1] ?? '')
  assert.equal(commands.length, 5)
  for (const command of commands) {
    const asset = await fixture.assets.create(wholeView(fixture.business), { name: 'Pump' })
    const TOKEN = fixture.administrator.replace('Automation ', '')
    const env = { PATH: process.env.PATH, TOKEN, ASSET: asset.id }
    const script = command.replaceAll(inPage, fixture.url)
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
    const { data, errors } = JSON.parse(stdout) as Answer
    assert.equal(errors, undefined, stdout)
    for (const [field, value] of Object.entries(data ?? {})) {
      assert.notEqual(value, null, `${field}: ${stdout}`)
    }
  }
})

test('the codes and numbers of the reference page are those of the program', async () => {
  const text = await readFile(page, 'utf8')
  const table = text.slice(text.indexOf('## Limits'), text.indexOf('## Introspection'))
  const codes = [...table.matchAll(/`([a-z]+_[a-z]+)`/g)].map((match) => match[1] ?? '')
  assert(codes.length >= 8)
  for (const code of codes) assert(code in errorCatalogue, code)
  const numbers = [
    limits.graphqlBodyBytesMax / 1024,
    limits.graphqlTokensMax,
    limits.graphqlDepthMax,
    limits.graphqlSelectionsMax,
    limits.graphqlRepeatsMax,
    limits.pageMax,
    limits.historyValuesMax,
    limits.graphqlFieldsMax,
    limits.graphqlLookupsMax,
    limits.graphqlMsMax / 1000,
  ]
  for (const number of numbers) {
    const written = number.toLocaleString('en-US')
    assert(table.includes(` ${written}`), written)
  }
})
