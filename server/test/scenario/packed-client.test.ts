import assert from 'node:assert/strict'
import { copyFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { openConsole, skip } from '../fixtures/browser/console.ts'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { type Packed, packAll } from '../fixtures/processes/packages.ts'
import { readersNodeFolder, root } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { sameOrigin } from '../fixtures/wire/same-origin.ts'

const nodes = {
  'the pinned Node': dirname(process.execPath),
  "the machine's Node": readersNodeFolder(),
}
const program = join(import.meta.dirname, '..', 'fixtures', 'programs', 'client.mjs')

/** The result of the program, on every runtime, beside the name of the business. */
const found = {
  counts: { total: 3, added: 3, isSent: true },
  identities: ['-1', '-2', '-3'],
  content: { size: 8, type: 'text/plain' },
  line: { event: 'line', type: 'delete', isOfIdentity: true, isKnown: true },
  error: [true, 'unknown_credential', 401],
}

describe('the client that npm run pack makes', () => {
  const suite = suiteContext()
  let packed: Packed
  let instance: TestPlatform
  before(async () => {
    packed = await packAll(suite)
    instance = await testPlatform(suite)
  })

  const optionsFor = (url: string, name: string) =>
    JSON.stringify({ ...instance.account, url, connector: instance.connector.id, name })

  /** Installs the client into an empty folder, and the program with it. */
  const install = async (nodeFolder?: string) => {
    const cwd = await packed.install('client', { nodeFolder })
    await copyFile(program, join(cwd, 'program.mjs'))
    return cwd
  }

  for (const [title, nodeFolder] of Object.entries(nodes)) {
    const skip = nodeFolder === undefined
    it(`runs on ${title}`, { skip }, async () => {
      const cwd = await install(nodeFolder)
      const name = `n${Object.keys(nodes).indexOf(title)}`
      const start = `import { run } from './program.mjs'
        console.log(JSON.stringify(await run(${optionsFor(instance.httpUrl, name)})))`
      await writeFile(join(cwd, 'main.js'), start)
      const ended = await packed.run('node', ['main.js'], { name: 'programmer', nodeFolder, cwd })
      assert.deepEqual([ended.code, ended.error], [0, ''])
      const business = instance.businessName
      assert.deepEqual(JSON.parse(ended.out), { business, ...found })
    })
  }

  it('runs in a browser, without a bundler', { skip }, async (t) => {
    const folder = await install()
    const modules = '/node_modules/@millrace/client'
    const imports = {
      '@millrace/client': `${modules}/lib/index.js`,
      'openapi-fetch': `${modules}/node_modules/openapi-fetch/dist/index.mjs`,
    }
    const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
    // Chromium would ask for an icon that is not there.
    const icon = '<link rel="icon" href="data:,">'
    await writeFile(join(folder, 'index.html'), `<!doctype html>${icon}${map}<p>ready`)
    const origin = await sameOrigin(t, folder, instance.httpUrl)
    const shown = await openConsole(t, origin, { expected: /status of 401/ })
    const page = await shown.tab()
    await page.getByText('ready').waitFor()
    const call = `import('/program.mjs').then(({ run }) => run(${optionsFor(origin, 'browser')}))
      .catch((error) => error.stack)`
    const business = instance.businessName
    assert.deepEqual(await page.evaluate(call), { business, ...found })
  })

  it('has types that a program compiles with', async () => {
    const cwd = await packed.install('client')
    await writeFile(join(cwd, 'program.ts'), typed)
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '']
    const args = [tsc, ...flags, '--lib', 'esnext,dom', 'program.ts']
    const { out } = await packed.run('node', args, { name: 'programmer', cwd })
    assert.equal(out.replaceAll(/\(.*/g, ''), 'program.ts\nprogram.ts\n', out)
    assert.match(out, /TS2322: Type 'string' is not assignable to type 'number'/)
    assert.match(out, /TS2367: .* '"guess"' have no overlap/)
  })
})

/** Two lines are wrong: a client without its types would let them pass. */
const typed = `
import { createClient, follow, unwrap } from '@millrace/client'
const client = createClient({ url: 'http://127.0.0.1:8080' })
const caller = await unwrap(client.GET('/api:1/whoami'))
const name: string = caller.business.name
const wrong: number = name
const path = '/api:1/service/{connector}/device2/logs'
for await (const { data } of follow(client, path, { path: { connector: 'pumps' } })) {
  if (data.type === 'guess') break
}
export const both = [name, wrong]
`
