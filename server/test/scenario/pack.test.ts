import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type TestPlatform, testPlatform } from '../fixtures/platform.ts'
import { type Packed, packAll, type User } from '../fixtures/processes/packages.ts'
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
      const cwd = await packed.install('cli', { nodeFolder })
      const bin = join(cwd, 'node_modules', '.bin', 'millrace')
      const millrace = (words: string, user: Partial<User> = {}) => {
        const who = { name: `owner of ${title}`, nodeFolder, cwd, ...user }
        return packed.run(bin, words.split(' '), who)
      }
      const version = await millrace('--version')
      assert.deepEqual(version, { code: 0, out: `${await readVersion('cli')}\n`, error: '' })
      assert.equal((await millrace('whoami')).code, 2, 'before the login')

      await writeFile(join(cwd, 'token'), `${instance.token}\n`)
      const login = `login --url ${instance.httpUrl} --token-file token`
      assert.match((await millrace(login)).out, /^logged in to Example\d+ as /)
      const { code, out } = await millrace('whoami --json')
      assert.equal(code, 0)
      assert.equal(JSON.parse(out).business.id, instance.businessId)
      assert.equal((await millrace('connector list')).code, 0)
      await writeFile(join(cwd, 'devices.csv'), 'ID\npump-1\n')
      for (const work of ['whitelist --file devices.csv', 'simulate --devices 1 --writes 1']) {
        const done = await millrace(`device ${work} --connector ${instance.connector.id}`)
        assert.equal(done.code, 0, done.error)
      }

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
  }
})

async function readVersion(workspace: string): Promise<string> {
  const manifest = await readFile(join(root, workspace, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
