import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { type Packed, packAll, type User } from '../fixtures/processes/packed.ts'
import { readersNodeFolder, root } from '../fixtures/processes/page.ts'
import { suiteContext } from '../fixtures/suite.ts'

const nodes = {
  'the pinned Node': dirname(process.execPath),
  "the machine's Node": readersNodeFolder(),
}

describe('npm run pack', () => {
  const suite = suiteContext()
  let packed: Packed
  let instance: TestPlatform
  before(async () => {
    packed = await packAll(suite)
    instance = await testPlatform(suite)
  })

  for (const [title, nodeFolder] of Object.entries(nodes)) {
    const skip = nodeFolder === undefined
    it(`makes a command line that runs without the repository on ${title}`, { skip }, async () => {
      const cwd = await packed.install('cli', nodeFolder)
      const bin = join(cwd, 'node_modules', '.bin', 'millrace')
      const millrace = (words: string, user: Partial<User> = {}) => {
        const who = { name: `owner of ${title}`, nodeFolder, cwd, ...user }
        return packed.run(bin, words.split(' '), who)
      }
      const version = await millrace('--version')
      assert.deepEqual(version, { code: 0, out: `${await versionOf('cli')}\n`, error: '' })
      assert.equal((await millrace('whoami')).code, 2, 'before the login')

      await writeFile(join(cwd, 'token'), `${instance.token}\n`)
      const login = `login --url ${instance.httpUrl} --token-file token`
      assert.match((await millrace(login)).out, /^logged in to Example as /)
      const { code, out } = await millrace('whoami --json')
      assert.equal(code, 0)
      assert.equal(JSON.parse(out).business.id, instance.businessId)
      assert.equal((await millrace('connector list')).code, 0)

      const viewer = await instance.platform.accounts.createToken(instance.businessId, {
        name: title,
        role: 'Viewer',
      })
      await writeFile(join(cwd, 'token'), viewer.token)
      const other = { name: `viewer of ${title}` }
      assert.equal((await millrace(login, other)).code, 0)
      const remove = `connector delete --connector ${instance.connector.id} --yes`
      const refused = await millrace(remove, other)
      assert.deepEqual([refused.code, refused.out], [3, ''])
      assert.match(refused.error, /^millrace: /)
    })

    it(`makes a client for programs on ${title}`, { skip }, async () => {
      const cwd = await packed.install('client', nodeFolder)
      await writeFile(join(cwd, 'program.js'), program)
      const args = ['program.js', instance.httpUrl, instance.token]
      const ended = await packed.run('node', args, { name: 'programmer', nodeFolder, cwd })
      const printed = 'Example\nunknown_credential 401\n'
      assert.deepEqual(ended, { code: 0, out: printed, error: '' })
    })
  }

  it('makes a client whose types a program compiles with', async () => {
    const cwd = await packed.install('client')
    await writeFile(join(cwd, 'program.ts'), typed)
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '']
    const args = [tsc, ...flags, '--lib', 'esnext,dom', 'program.ts']
    const { out } = await packed.run('node', args, { name: 'programmer', cwd })
    assert.equal(out.replaceAll(/\(.*/g, ''), 'program.ts\n', out)
    assert.match(out, /TS2322: Type 'string' is not assignable to type 'number'/)
  })
})

async function versionOf(workspace: string): Promise<string> {
  const manifest = await readFile(join(root, workspace, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

const program = `
import { ApiError, createClient, unwrap } from '@millrace/client'
const [url, apiToken] = process.argv.slice(2)
const client = createClient({ url, credential: { apiToken } })
console.log((await unwrap(client.GET('/api:1/whoami'))).business.name)
const unknown = createClient({ url, credential: { apiToken: 'unknown' } })
const error = await unwrap(unknown.GET('/api:1/whoami')).catch((error) => error)
console.log(error instanceof ApiError && error.code, error.status)
`

/** The last line is wrong: a client without its types would let it pass. */
const typed = `
import { createClient, unwrap } from '@millrace/client'
const client = createClient({ url: 'http://127.0.0.1:8080' })
const caller = await unwrap(client.GET('/api:1/whoami'))
const name: string = caller.business.name
const wrong: number = name
export const both = [name, wrong]
`
