import assert from 'node:assert/strict'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { type Packed, packAll } from '../fixtures/processes/packages.ts'
import { root } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const program = join(import.meta.dirname, '..', 'fixtures', 'programs', 'graph-client.mjs')

describe('the graph client that npm run pack makes', () => {
  const suite = suiteContext()
  let packed: Packed
  let instance: TestPlatform
  before(async () => {
    packed = await packAll(suite)
    instance = await testPlatform(suite)
  })

  it('asks, subscribes, and waits for a window, from an empty folder', async () => {
    const { platform, businessId, httpUrl: url, token: apiToken } = instance
    const { token: limited } = await platform.accounts.createToken(businessId, {
      name: 'limited',
      role: 'Viewer',
      rateLimits: { requests: 2, timeMs: 100_000 },
    })
    const cwd = await packed.install('client')
    await copyFile(program, join(cwd, 'program.mjs'))
    const start = `import { run } from './program.mjs'
      console.log(JSON.stringify(await run(${JSON.stringify({ url, apiToken, limited })})))`
    await writeFile(join(cwd, 'main.js'), start)
    const { code, error, out } = await packed.run('node', ['main.js'], { name: 'programmer', cwd })
    assert.deepEqual([code, error], [0, ''])
    assert.deepEqual(JSON.parse(out), {
      name: 'Pump',
      isCounted: true,
      refused: [true, 'invalid_argument', 1],
      half: [true, 'not_found', { deleteAsset: null }],
      unknown: [true, 'unknown_credential', 401],
      level: 'normal',
      isSame: true,
      limited: [true, 'rate_requests_exceeded', true, 1],
    })
  })

  it('has the types of the schema, and a program that misuses them does not compile', async () => {
    const cwd = await packed.install('client')
    await writeFile(join(cwd, 'program.ts'), typed)
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '']
    const args = [tsc, ...flags, '--lib', 'esnext,dom', 'program.ts']
    const { out } = await packed.run('node', args, { name: 'programmer', cwd })
    assert.equal(out.match(/^program\.ts/gm)?.length, 3, out)
    assert.match(out, /TS2322: Type 'string' is not assignable to type 'number'/)
    assert.match(out, /TS2554: Expected 2-3 arguments, but got 1/)
    assert.match(out, /TS2561: .*'limits' does not exist/)
  })
})

/** Three lines are wrong: a client without its types would let them pass. */
const typed = `
import { type Asset, createGraphClient, graph } from '@millrace/client/graph'
const client = createGraphClient({ url: 'http://127.0.0.1:8080' })
type Listed = { assets: Pick<Asset, 'id' | 'name'>[] }
const list = graph<Listed, { limit: number }>('query ($limit: Int!) { assets { id name } }')
const { assets } = await client.ask(list, { limit: 20 })
const wrong: number = assets[0]!.name
await client.ask(list)
await client.ask(list, { limits: 20 })
const { assetCount } = await client.ask(graph<{ assetCount: number }>('{ assetCount }'))
export const both = [wrong, assetCount]
`
