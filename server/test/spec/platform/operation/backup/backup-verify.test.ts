import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { verifyBackupFile } from '../../../../../src/foundation/database/index.ts'
import { Fault } from '../../../../../src/foundation/kernel/index.ts'
import { waitMsMax } from '../../../../fixtures/bounds.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { startProgram } from '../../../../fixtures/processes/cli-process.ts'

const partsOfEach = 6
const tables = ['first', 'second']
const gateFile = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'fixtures',
  'processes',
  'unpack-gate.ts',
)
const commandLine = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  '..',
  'src',
  'platform',
  'cli',
  'index.ts',
)

/** A backup of two tables in twelve parts. The rows of a part are `row` and its number. */
async function makeBackup(row: string): Promise<Buffer> {
  const archive = pack()
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const shape = { columns: ['a'], numbered: [], partitions: [] }
  const manifest = {
    format: 1,
    createdAt: '2026-11-26T00:00:00.000Z',
    server: '',
    migrations: [],
    tables: tables.map((name) => Object.assign({ name }, shape)),
  }
  archive.entry({ name: 'manifest.json' }, JSON.stringify(manifest))
  archive.entry({ name: 'keys/instance.key' }, 'key')
  const parts = []
  for (const table of tables) {
    for (let at = 0; at < partsOfEach; at += 1) {
      const bytes = zstdCompressSync(Buffer.from(`${row} ${at}\n`))
      const name = `${table}/${String(at).padStart(8, '0')}.copy.zst`
      archive.entry({ name }, bytes)
      parts.push({ name, sha256: sha256(bytes) })
    }
  }
  archive.entry({ name: 'end.json' }, JSON.stringify({ rows: 12, parts }))
  archive.finalize()
  return buffer(archive)
}

/** A file of a backup, whose time of change a test can set again. */
async function openFile(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-verify-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'b.tar')
  await writeFile(path, await makeBackup('row'))
  await utimes(path, 1_700_000_000, 1_700_000_000)
  return { folder, path, state: join(folder, '.b.tar.verify') }
}

type BackupFile = Awaited<ReturnType<typeof openFile>>

function startVerify(
  t: TestContext,
  { folder }: BackupFile,
  env: Readonly<Record<string, string>>,
) {
  const command = [process.execPath, commandLine, 'backup', 'verify', 'b.tar']
  return startProgram(t, command, { cwd: folder, env: Object.assign({}, process.env, env) })
}

type Ended = { readonly parts: number; readonly signal: NodeJS.Signals; readonly kept: number }

/** A process checks so many parts, and is then ended by the signal. @returns its exit code. */
async function endsAt(t: TestContext, file: BackupFile, { parts, signal, kept }: Ended) {
  const env = { UNPACK_GATE: `${parts}`, NODE_OPTIONS: `--import=${gateFile}` }
  const command = startVerify(t, file, env)
  await command.prints(/at the gate/)
  const isKept = () =>
    existsSync(file.state) && JSON.parse(readFileSync(file.state, 'utf8')).parts === kept
  // The result of a check is kept soon, and at once if the process can still act.
  for (const end = Date.now() + waitMsMax; signal === 'SIGKILL' && !isKept(); await pause(10)) {
    assert.ok(Date.now() < end, 'it never kept its state')
  }
  const code = await command.end(signal)
  assert.ok(isKept())
  return code
}

/** Checks the file in this process, which interrupts it after so many parts. */
async function check({ path }: BackupFile, options: { stopAfter?: number; fromStart?: boolean }) {
  const stop = new AbortController()
  const seen = { parts: 0, resumed: 0, notKept: '', error: '' }
  await verifyBackupFile(path, {
    fromStart: options.fromStart ?? false,
    signal: stop.signal,
    resumed(parts) {
      seen.resumed = parts
    },
    progress() {
      seen.parts += 1
      if (seen.parts === options.stopAfter) stop.abort(new Error('interrupted'))
    },
    notKept(_path, { message }) {
      seen.notKept = message
    },
  }).catch((error: Error) => {
    seen.error = error instanceof Fault ? error.detail : error.message
  })
  return seen
}

/** Writes over the file; its time of change stays as it was. */
async function changeUnseen({ path }: BackupFile, change: (bytes: Buffer) => void) {
  const bytes = await readFile(path)
  change(bytes)
  await writeFile(path, bytes)
  await utimes(path, 1_700_000_000, 1_700_000_000)
}

/** Flips a byte of a part, whose header stands before it. */
function damage(part: string) {
  return (bytes: Buffer) => {
    const at = bytes.indexOf(part) + 512 + 8
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
  }
}

const whole = { parts: 12, resumed: 0, notKept: '', error: '' }
const rest = (before: number) => Object.assign({}, whole, { parts: 12 - before, resumed: before })

describe('a check of a backup', () => {
  for (const [signal, code] of [
    ['SIGKILL', null],
    ['SIGINT', 130],
  ] as const) {
    it(`goes on after the last part that was checked before ${signal}`, async (t) => {
      const file = await openFile(t)
      assert.equal(await endsAt(t, file, { parts: 4, signal, kept: 4 }), code)
      // It unpacks seven parts more, and none again.
      assert.equal(await endsAt(t, file, { parts: 7, signal, kept: 11 }), code)
    })
  }

  it('says where it goes on, and leaves no state when it has ended', async (t) => {
    const file = await openFile(t)
    await endsAt(t, file, { parts: 4, signal: 'SIGKILL', kept: 4 })
    const command = startVerify(t, file, {})
    assert.equal(await command.end(), 0, command.printed())
    assert.match(command.printed(), /^goes on after part 4 of 12\n/)
    assert.match(command.printed(), /\S+ is whole: 2 tables in 12 parts\.\nIt holds the keys/)
    assert.deepEqual(readdirSync(file.folder), ['b.tar'])
  })

  it('reads all of a file of another time, size or list of parts', async (t) => {
    const file = await openFile(t)
    const other = await makeBackup('wor')
    assert.equal(other.length, (await readFile(file.path)).length)
    const changes: readonly (() => Promise<void>)[] = [
      () => utimes(file.path, 1_700_000_000, 1_700_000_001),
      () => changeUnseen(file, (bytes) => other.copy(bytes)),
      async () => {
        await writeFile(file.path, Buffer.concat([other, Buffer.alloc(512)]))
        await utimes(file.path, 1_700_000_000, 1_700_000_000)
      },
      () => writeFile(file.state, '{"format":1,"bytes"'),
      () => rm(file.state),
    ]
    for (const change of changes) {
      await utimes(file.path, 1_700_000_000, 1_700_000_000)
      assert.equal((await check(file, { stopAfter: 4 })).error, 'interrupted')
      await change()
      assert.deepEqual(await check(file, {}), whole, String(change))
    }
    await check(file, { stopAfter: 4 })
    assert.deepEqual(await check(file, {}), rest(4), 'the same file')
  })

  it('finds damage in what is left, and from the start in all', async (t) => {
    const file = await openFile(t)
    await check(file, { stopAfter: 8 })
    await changeUnseen(file, damage('first/00000002'))
    assert.deepEqual(await check(file, {}), rest(8), 'it was read before the damage')
    await check(file, { stopAfter: 2 })
    assert.match((await check(file, {})).error, /first\/00000002.+(unpacked|was changed)/)
    assert.equal((await check(file, {})).resumed, 0, 'what was found wrong is read again')
    await changeUnseen(file, damage('first/00000002'))
    await check(file, { stopAfter: 8 })
    assert.deepEqual(await check(file, { fromStart: true }), whole)
    assert.equal(existsSync(file.state), false)
  })

  it('needs no state: beside the backup nothing may be writable', async (t) => {
    const file = await openFile(t)
    await mkdir(join(file.state, 'folder'), { recursive: true })
    const stopped = await check(file, { stopAfter: 4 })
    assert.match(stopped.notKept, /directory/)
    assert.equal((await check(file, {})).parts, 12)
  })
})
