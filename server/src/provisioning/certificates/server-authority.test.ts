import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { connect, createServer } from 'node:tls'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { systemClock, systemRandom } from '../../kernel/index.ts'
import { openSecrets } from '../credentials/secrets.ts'
import { openServerAuthority, type ServerCertificate } from './server-authority.ts'

const script = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'test',
  'fixtures',
  'processes',
  'authority-process.ts',
)
const [openersAtOnce, rounds] = [4, 25]

async function testFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-authority-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

const open = (dir: string) =>
  openServerAuthority({ dir, clock: systemClock(), random: systemRandom })

type Opened = { readonly server: ServerCertificate; readonly sealed: string }

/** A process that opens what lies in a directory. */
async function opener(t: TestContext) {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  atEnd(t, async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    assert.notEqual(done, true, 'the process ended')
    return value as string
  }
  assert.equal(await next(), 'ready')
  return async (dir: string): Promise<Opened> => {
    child.stdin.write(`${dir}\n`)
    return JSON.parse(await next()) as Opened
  }
}

/** Returns true if a client that trusts `ca` accepts the server as 127.0.0.1. */
async function handshakes(options: ServerCertificate, ca: string): Promise<boolean> {
  const server = createServer(options, (socket) => socket.resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ host: '127.0.0.1', port, ca })
  await once(client, 'secureConnect')
  const { authorized } = client
  client.destroy()
  server.close()
  return authorized
}

describe("the instance's own authority", () => {
  it('is one for processes that start together on an empty directory', async (t) => {
    const folder = await testFolder(t)
    const openers = await Promise.all(Array.from({ length: openersAtOnce }, () => opener(t)))
    for (let round = 0; round < rounds; round += 1) {
      const dir = join(folder, `${round}`)
      const all = await Promise.all(openers.map((opens) => opens(dir)))
      assert.deepEqual((await readdir(dir)).sort(), ['ca-key.pem', 'ca.pem', 'instance.key'])
      const ca = await readFile(join(dir, 'ca.pem'), 'utf8')
      for (const { server, sealed } of all) {
        assert.equal(server.cert.endsWith(ca), true, `round ${round}: another certificate`)
        assert.equal(await handshakes(server, ca), true)
        assert.equal(openSecrets({ dir, random: systemRandom }).open(sealed), 'text')
      }
    }
  })

  it('makes the certificate of a key whose start was cut before it', async (t) => {
    const dir = await testFolder(t)
    await open(dir)
    const key = await readFile(join(dir, 'ca-key.pem'), 'utf8')
    await rm(join(dir, 'ca.pem'))
    const authority = await open(dir)
    assert.equal(await readFile(join(dir, 'ca-key.pem'), 'utf8'), key)
    const ca = await readFile(authority.caFile, 'utf8')
    assert.equal(await handshakes(await authority.certificateFor('127.0.0.1'), ca), true)
  })

  it('keeps its files to its user: the folder 0700, the key 0600', async (t) => {
    const dir = join(await testFolder(t), 'new', 'tls')
    await open(dir)
    assert.equal((await stat(dir)).mode & 0o777, 0o700)
    assert.equal((await stat(join(dir, 'ca-key.pem'))).mode & 0o777, 0o600)
    assert.equal((await stat(join(dir, 'ca.pem'))).mode & 0o777, 0o644)
  })

  it('refuses a certificate of another key, and names both files', async (t) => {
    const folder = await testFolder(t)
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    await open(one)
    await open(two)
    await writeFile(join(one, 'ca.pem'), await readFile(join(two, 'ca.pem')))
    await assert.rejects(open(one), (error: Error) => {
      assert.match(error.message, /is not of the key in/)
      assert.ok(error.message.includes(join(one, 'ca.pem')))
      assert.ok(error.message.includes(join(one, 'ca-key.pem')))
      return true
    })
    await rm(join(one, 'ca.pem'))
    await open(one)
  })

  it('refuses a certificate without its key, and files that hold something else', async (t) => {
    const dir = await testFolder(t)
    await open(dir)
    const key = await readFile(join(dir, 'ca-key.pem'), 'utf8')
    await rm(join(dir, 'ca-key.pem'))
    await assert.rejects(open(dir), /ca-key\.pem is missing, the key of the certificate in/)
    await writeFile(join(dir, 'ca-key.pem'), 'half a k')
    await assert.rejects(open(dir), /ca-key\.pem does not hold an EC key/)
    await writeFile(join(dir, 'ca-key.pem'), key)
    await writeFile(join(dir, 'ca.pem'), '')
    await assert.rejects(open(dir), /ca\.pem does not hold a certificate/)
  })
})
