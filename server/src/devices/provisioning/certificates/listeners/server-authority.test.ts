import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { connect, createServer } from 'node:tls'
import {
  type TestAddress,
  testAddress,
  testDatabase,
} from '../../../../../test/fixtures/database.ts'
import { atEnd, testFolder } from '../../../../../test/fixtures/ends.ts'
import { type Database, openDatabase } from '../../../../foundation/database/index.ts'
import {
  createLogger,
  type Fault,
  systemClock,
  systemRandom,
} from '../../../../foundation/kernel/index.ts'
import { openSecrets } from '../../credentials/secrets.ts'
import {
  exportServerAuthority,
  openServerAuthority,
  replaceServerAuthority,
  type ServerCertificate,
} from './server-authority.ts'

const processes = '../../../../../test/fixtures/processes'
const script = join(import.meta.dirname, processes, 'authority-process.ts')
const [openersAtOnce, rounds] = [4, 25]

const logger = createLogger('silent')
const [clock, random] = [systemClock(), systemRandom]

/** An instance's database and key, which processes with other folders share. */
async function instance(t: TestContext) {
  const folder = await testFolder(t)
  const database = await testDatabase(t)
  const secrets = openSecrets({ dir: folder, random })
  const parts = { database, secrets, clock, random, logger }
  const open = (dir: string) => openServerAuthority({ ...parts, dir })
  /** Writes the authority into a folder, as versions of before had it. */
  const before = async (dir: string) => {
    await replaceServerAuthority({ ...parts, from: undefined })
    await exportServerAuthority({ ...parts, dir })
    await forget(database)
  }
  return { folder, database, secrets, parts, open, before }
}

const forget = (database: Database) => database.run('delete from provisioning_server_authority')

const keyPath = (dir: string) => join(dir, 'ca-key.pem')
const certificatePath = (dir: string) => join(dir, 'ca.pem')

type Opened = { readonly server: ServerCertificate; readonly sealed: string }

/** A process that opens the authority, with a folder. */
async function opener(t: TestContext, address: TestAddress) {
  const args = [script, JSON.stringify(address)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
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
  it('is one for processes that start together', async (t) => {
    const folder = await testFolder(t)
    const address = await testAddress(t)
    const database = await openDatabase({ ...address, owner: false, logger })
    atEnd(t, () => database.close())
    const openers = await Promise.all(
      Array.from({ length: openersAtOnce }, () => opener(t, address)),
    )
    for (let round = 0; round < rounds; round += 1) {
      await forget(database)
      const dir = join(folder, `${round}`)
      const all = await Promise.all(openers.map((opens) => opens(dir)))
      assert.deepEqual((await readdir(dir)).sort(), ['ca.pem', 'instance.key'])
      const ca = await readFile(certificatePath(dir), 'utf8')
      for (const { server, sealed } of all) {
        assert.equal(server.cert.endsWith(ca), true, `round ${round}: another certificate`)
        assert.equal(await handshakes(server, ca), true)
        assert.equal(openSecrets({ dir, random }).open(sealed), 'text')
      }
    }
  })

  it('is that of the folder, where a version of before has kept it there', async (t) => {
    const { folder, open, before } = await instance(t)
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    await before(one)
    const ca = await readFile(certificatePath(one), 'utf8')
    const key = await readFile(keyPath(one), 'utf8')
    for (const dir of [one, two, one]) {
      const authority = await open(dir)
      assert.equal(await readFile(authority.caFile, 'utf8'), ca)
      assert.equal(await handshakes(await authority.certificateFor('127.0.0.1'), ca), true)
    }
    assert.equal(await readFile(keyPath(one), 'utf8'), key, 'a version of before may start again')
    assert.deepEqual(await readdir(two), ['ca.pem'], 'the key is in the database alone')
  })

  it('makes the certificate of a key whose start was cut before it', async (t) => {
    const { folder: dir, database, open, before } = await instance(t)
    await before(dir)
    const key = await readFile(keyPath(dir), 'utf8')
    await rm(certificatePath(dir))
    const authority = await open(dir)
    assert.equal(await readFile(keyPath(dir), 'utf8'), key)
    const ca = await readFile(authority.caFile, 'utf8')
    assert.equal(await handshakes(await authority.certificateFor('127.0.0.1'), ca), true)
    await open(dir)
    assert.ok(await database.one('select id from provisioning_server_authority'))
  })

  it('keeps its files to its user: the folder 0700, an exported key 0600', async (t) => {
    const { folder, open, parts } = await instance(t)
    const dir = join(folder, 'new', 'tls')
    await open(dir)
    await exportServerAuthority({ ...parts, dir })
    assert.equal((await stat(dir)).mode & 0o777, 0o700)
    assert.equal((await stat(keyPath(dir))).mode & 0o777, 0o600)
    assert.equal((await stat(certificatePath(dir))).mode & 0o777, 0o644)
  })

  it('lies in the database without its key in clear', async (t) => {
    const { folder: dir, database, open, parts } = await instance(t)
    await open(dir)
    const row = await database.one<{ text: string }>(
      'select a::text as text from provisioning_server_authority a',
    )
    await exportServerAuthority({ ...parts, dir })
    const [, , body = ''] = (await readFile(keyPath(dir), 'utf8')).split('\n')
    assert.ok(body.length > 20)
    assert.doesNotMatch(row?.text ?? '', /PRIVATE KEY/)
    assert.equal(row?.text.includes(body), false)
  })
})

describe("what the instance's own authority refuses", () => {
  it('the files of another one: the fleet trusts either', async (t) => {
    const { folder, database, open, before, parts } = await instance(t)
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    await before(one)
    await before(two)
    await open(one)
    await assert.rejects(open(two), (error: Fault) => {
      assert.equal(error.code, 'authority_differs')
      for (const name of [keyPath(two), certificatePath(two)])
        assert.ok(error.detail.includes(name))
      return /millrace authority replace --from/.test(error.detail)
    })
    await replaceServerAuthority({ ...parts, from: two })
    await open(two)
    await assert.rejects(open(one), { code: 'authority_differs' })
    await rm(keyPath(one))
    await open(one)
    const [first, second] = await Promise.all(
      [one, two].map((dir) => readFile(certificatePath(dir), 'utf8')),
    )
    assert.equal(first, second, 'a copy of the certificate alone is replaced')
    assert.equal((await database.rows('select id from provisioning_server_authority')).length, 1)
  })

  it('another instance key, and names what to do', async (t) => {
    const { folder, open, parts } = await instance(t)
    const dir = join(folder, 'tls')
    await open(dir)
    const secrets = openSecrets({ dir: join(folder, 'other'), random })
    secrets.check()
    const other = { ...parts, secrets, dir }
    await assert.rejects(openServerAuthority(other), (error: Fault) => {
      assert.equal(error.code, 'secret_unreadable')
      assert.match(
        error.detail,
        /^The CA of the instance, .* cannot be used\. This was stored with/,
      )
      return /millrace authority replace/.test(error.detail)
    })
    const ca = await readFile(certificatePath(dir), 'utf8')
    await replaceServerAuthority({ ...other, from: undefined })
    await openServerAuthority(other)
    assert.notEqual(await readFile(certificatePath(dir), 'utf8'), ca)
  })

  it('a certificate of another key, and names both files', async (t) => {
    const { folder, open, before } = await instance(t)
    const [one, two] = [join(folder, 'one'), join(folder, 'two')]
    await before(one)
    await before(two)
    await writeFile(certificatePath(one), await readFile(certificatePath(two)))
    await assert.rejects(open(one), (error: Error) => {
      assert.match(error.message, /is not of the key in/)
      assert.ok(error.message.includes(certificatePath(one)))
      assert.ok(error.message.includes(keyPath(one)))
      return true
    })
    await rm(certificatePath(one))
    await open(one)
  })

  it('a certificate whose key is nowhere, and files that hold something else', async (t) => {
    const { folder: dir, open, before } = await instance(t)
    await before(dir)
    const key = await readFile(keyPath(dir), 'utf8')
    await rm(keyPath(dir))
    await assert.rejects(open(dir), /ca-key\.pem is missing, the key of the certificate in/)
    await writeFile(keyPath(dir), 'half a k')
    await assert.rejects(open(dir), /ca-key\.pem does not hold an EC key/)
    await writeFile(keyPath(dir), key)
    await writeFile(certificatePath(dir), '')
    await assert.rejects(open(dir), /ca\.pem does not hold a certificate/)
  })
})
