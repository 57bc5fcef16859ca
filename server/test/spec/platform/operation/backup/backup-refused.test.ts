import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { before, describe, it, type TestContext } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import {
  backUpDatabase,
  openDatabase,
  restoreDatabase,
  verifyBackup,
} from '../../../../../src/foundation/database/index.ts'
import { createLogger, type Fault } from '../../../../../src/foundation/kernel/index.ts'
import { emptyAddress, testAddress } from '../../../../fixtures/database.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'

const logger = createLogger('silent')

type Entry = { name: string; bytes: Buffer }

async function readEntries(backup: Buffer): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of Readable.from([backup]).pipe(extract())) {
    entries.push({ name: entry.header.name, bytes: await buffer(entry) })
  }
  return entries
}

async function makeBackup(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const { name, bytes } of entries) archive.entry({ name }, bytes)
  archive.finalize()
  return buffer(archive)
}

/** The same entries, one of them changed. */
function changed(entries: readonly Entry[], name: RegExp, change: (bytes: Buffer) => Buffer) {
  return entries.map((entry) => {
    return name.test(entry.name) ? { name: entry.name, bytes: change(entry.bytes) } : entry
  })
}

type Manifest = { migrations: { name: string; checksum: string }[]; tables: { name: string }[] }

/** A change of the manifest. */
function inManifest(change: (manifest: Manifest) => void) {
  return (bytes: Buffer) => {
    const manifest = JSON.parse(String(bytes))
    change(manifest)
    return Buffer.from(JSON.stringify(manifest))
  }
}

const part = /\.zst$/

/** Backups that were damaged or made up, by what is wrong. */
const damages: Readonly<Record<string, (entries: readonly Entry[]) => readonly Entry[]>> = {
  'its end is missing': (entries) => entries.slice(0, -1),
  'is missing or was changed': (entries) =>
    entries.filter(({ name }) => !name.startsWith('accounts_business/')),
  'cannot be unpacked': (entries) => changed(entries, part, (bytes) => bytes.subarray(0, -5)),
  'has more parts': (entries) =>
    entries.toSpliced(-1, 0, ...entries.filter(({ name }) => name.startsWith('accounts_role/'))),
  'it names no table other': (entries) =>
    entries.toSpliced(1, 0, { name: 'other/00000000.copy.zst', bytes: Buffer.from('x') }),
  'is not known': (entries) => entries.toSpliced(1, 0, { name: '../x', bytes: Buffer.from('x') }),
  'accounts_business/.* stands at the wrong place': (entries) => entries.slice(1),
  'manifest.json stands at the wrong place': (entries) => [...entries, ...entries.slice(0, 1)],
  'must be the name of a table': (entries) =>
    changed(
      entries,
      /^manifest/,
      inManifest(({ tables: [first] }) => Object.assign(first ?? {}, { name: 'a; drop table b' })),
    ),
  'make no table invented': (entries) =>
    changed(
      entries,
      /^manifest/,
      inManifest(({ tables: [first] }) => Object.assign(first ?? {}, { name: 'invented' })),
    ),
}

describe('a backup that cannot be used', () => {
  const suite = suiteContext()
  let entries: Entry[]
  before(async () => {
    const address = await testAddress(suite)
    const database = await openDatabase({ ...address, owner: false, logger })
    await database.run("insert into accounts_business (id, name, created_at) values ('b', 'B', 1)")
    await database.run("insert into accounts_role values ('b', 'R', '{}')")
    await database.close()
    const output = new PassThrough()
    const read = buffer(output)
    await backUpDatabase({ ...address, owner: false, logger }, output, { keys: [] })
    entries = await readEntries(await read)
  })

  async function restores(t: TestContext, backup: Buffer) {
    const address = await emptyAddress(t)
    const options = { ...address, owner: false, logger }
    const restore = (bytes: Buffer) => restoreDatabase(options, Readable.from([bytes]), {})
    const error = await restore(backup).then(
      () => undefined,
      (refusal: Fault) => refusal,
    )
    return { error, restore, options }
  }

  for (const [why, damage] of Object.entries(damages)) {
    it(`is refused: ${why}`, async (t) => {
      const backup = await makeBackup(damage(entries))
      const { error, restore, options } = await restores(t, backup)
      assert.equal(error?.code, 'backup_refused', String(error))
      assert.match(error?.detail ?? '', new RegExp(why))
      // The tables are empty: a whole backup can still be restored.
      const { rows } = await restore(await makeBackup(entries))
      assert.ok(rows > 1)
      const database = await openDatabase(options)
      assert.equal(
        (await database.one<{ id: string }>('select id from accounts_business'))?.id,
        'b',
      )
      await database.close()
    })
  }

  it('is found by a check, with the part that is wrong', async () => {
    const whole = await makeBackup(entries)
    const { parts, hasKeys } = await verifyBackup(Readable.from([whole]))
    assert.ok(parts > 1)
    assert.equal(hasKeys, false)
    const torn = whole.subarray(0, whole.length / 2)
    const bomb = changed(entries, part, () => zstdCompressSync(Buffer.alloc(64 * 1_048_576)))
    for (const [backup, says] of [
      [torn, /end is missing|Unexpected end/],
      [Buffer.from('no archive at all'.repeat(100)), /cannot be used/],
      [Buffer.alloc(0), /no manifest|end is missing/],
      [await makeBackup(bomb), /cannot be unpacked/],
    ] as const) {
      await assert.rejects(verifyBackup(Readable.from([backup])), (error: Fault) => {
        assert.equal(error.code, 'backup_refused')
        return says.test(error.detail)
      })
    }
  })

  it('is refused by a database that has rows, and by an older version', async (t) => {
    const whole = await makeBackup(entries)
    const { error, restore } = await restores(t, whole)
    assert.equal(error, undefined)
    await assert.rejects(restore(whole), { code: 'database_not_empty' })
    const newer = changed(
      entries,
      /^manifest/,
      inManifest(({ migrations }) => {
        migrations.push({ name: '9999_later.sql', checksum: '0'.repeat(64) })
      }),
    )
    const refused = await restores(t, await makeBackup(newer))
    assert.equal(refused.error?.code, 'database_version')
    assert.match(refused.error?.detail ?? '', /newer version of Millrace \(9999_later.sql\)/)
  })

  it('of an earlier version is brought up to this one', async (t) => {
    const address = await testAddress(t)
    const earlier = await openDatabase({ ...address, owner: false, logger })
    await earlier.run('drop table hosts_label')
    await earlier.run("delete from database_migration where name = '0205_hosts.sql'")
    await earlier.close()
    const output = new PassThrough()
    const read = buffer(output)
    await backUpDatabase({ ...address, owner: false, logger }, output, { keys: [] })
    const { error, options } = await restores(t, await read)
    assert.equal(error, undefined)
    const database = await openDatabase(options)
    const { count } = (await database.one<{ count: number }>(
      'select count(*)::float8 as count from hosts_label',
    )) ?? { count: -1 }
    await database.close()
    assert.equal(count, 0, 'the migration has run')
  })
})
