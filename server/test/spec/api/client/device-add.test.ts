import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/ends.ts'
import { exampleConnector, testPlatform, unique } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { openOpenssl } from '../../../fixtures/wire/openssl.ts'

describe('millrace device add', () => {
  const suite = suiteContext()
  let run: RunCommand
  let folder = ''
  const id = unique('pumps')
  before(async () => {
    const pki = { enabled: true, vendor: 'internal' as const }
    const instance = await testPlatform(suite, {
      connector: { ...exampleConnector, id, pki },
    })
    run = runsCommands(instance)
    folder = await testFolder(suite)
  })

  const add = (identity: string, ...more: string[]) =>
    run('device', 'add', '--connector', id, '--identity', identity, ...more)

  it('whitelists an identity; again, it changes what is given', async () => {
    const { code, stdout, stderr } = await add('p1', '--tag', 'site=lab', '--tag', 'floor=2')
    assert.equal(code, 0, stderr)
    const line = /^p1 {2}whitelisted {2}never seen {2}until \S+Z {2}site=lab floor=2\n$/
    assert.match(stdout, line)
    const { auth, tags } = JSON.parse((await add('p1', '--expire', 'never', '--json')).stdout)
    assert.deepEqual([auth.expire, tags.length], [undefined, 2])
    const moved = JSON.parse((await add('p1', '--tag', 'site=hall', '--json')).stdout)
    assert.deepEqual(moved.tags, [{ name: 'site', value: 'hall' }])
  })

  it('prints the certificate that is made of a signing request', async (t) => {
    const openssl = await openOpenssl(t)
    const { csr, key } = await openssl.request({ subject: '/CN=p2' })
    const file = join(folder, 'p2.csr')
    await writeFile(file, csr)
    const { code, stdout, stderr } = await add('p2', '--csr', file)
    assert.equal(code, 0, stderr)
    assert.equal(new X509Certificate(stdout).subject, 'CN=p2')
    await writeFile(file, key)
    const refused = await add('p2', '--csr', file)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /private key/)
  })
})
