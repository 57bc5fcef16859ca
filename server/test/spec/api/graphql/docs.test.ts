import { strict as assert } from 'node:assert'
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { graphqlLimits } from '../../../../src/api/graphql/index.ts'
import { errorCatalogue, limits } from '../../../../src/foundation/kernel/index.ts'
import { graphqlFixture, type WholeAnswer } from '../../../fixtures/wire/graphql.ts'

const page = join(import.meta.dirname, '../../../../../docs/reference/graphql.md')
const inPage = 'http://127.0.0.1:8080/api/graphql'
const noCurl = spawnSync('curl', ['--version']).error !== undefined && 'curl is not installed'

test('the commands of the reference page work as they stand', { skip: noCurl }, async (t) => {
  const { assets, view, administrator, url } = await graphqlFixture(t)
  const text = await readFile(page, 'utf8')
  const commands = [...text.matchAll(/```sh\n(curl [^`]+)```/g)].map((match) => match[1] ?? '')
  assert.equal(commands.length, 6)
  for (const command of commands) {
    const asset = await assets.create(view, { name: 'Pump' })
    const TOKEN = administrator.replace('Automation ', '')
    const env = { PATH: process.env.PATH, TOKEN, ASSET: asset.id }
    const script = command.replaceAll(inPage, url)
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
    const { data, errors, extensions } = JSON.parse(stdout) as WholeAnswer
    assert.equal(errors, undefined, stdout)
    if (command.includes('?explain')) await assertExplained(text, extensions)
    for (const [field, value] of Object.entries(data ?? {})) {
      assert.notEqual(value, null, `${field}: ${stdout}`)
    }
  }
})

/** The example of the page is the answer to the command above it, in all that is written out. */
async function assertExplained(text: string, extensions: unknown): Promise<void> {
  const [, example = ''] = /```json\n(\{"data": null[^`]+)```/.exec(text) ?? []
  const written = JSON.parse(example) as { extensions: { explain: Explained } }
  const { smaller, ...rest } = written.extensions.explain
  const { smaller: found, ...others } = (extensions as { explain: Explained }).explain
  assert.deepEqual(rest, others)
  assert.deepEqual(Object.assign({}, found, { query: '…' }), smaller)
}

type Explained = { readonly smaller: object }

test('the codes and numbers of the reference page are those of the program', async () => {
  const text = await readFile(page, 'utf8')
  const table = text.slice(text.indexOf('## Limits'), text.indexOf('## Introspection'))
  const codes = [...table.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map((match) => match[1] ?? '')
  assert(codes.length >= 14)
  for (const code of codes) assert(code in errorCatalogue, code)
  const numbers = [
    limits.graphqlBodyBytesMax / 1024,
    graphqlLimits.graphqlTokensMax,
    graphqlLimits.graphqlDepthMax,
    graphqlLimits.graphqlSelectionsMax,
    graphqlLimits.graphqlRepeatsMax,
    graphqlLimits.graphqlAliasesMax,
    graphqlLimits.graphqlDirectivesMax,
    graphqlLimits.graphqlListMax,
    graphqlLimits.graphqlListAssumed,
    limits.graphqlCostMax,
    graphqlLimits.graphqlStatementCost,
    limits.graphqlMemoryBytesMax / 1024 / 1024,
    limits.pageMax,
    limits.historyValuesMax,
    graphqlLimits.graphqlFieldsMax,
    graphqlLimits.graphqlLookupsMax,
    limits.graphqlMsMax / 1000,
  ]
  for (const number of numbers) {
    const written = number.toLocaleString('en-US')
    assert(table.includes(` ${written}`), written)
  }
})
