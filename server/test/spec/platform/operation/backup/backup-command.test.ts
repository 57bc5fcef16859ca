import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { createFileOnce } from '../../../../../src/foundation/kernel/index.ts'
import { startCommand } from '../../../../fixtures/commands/command-line.ts'
import { atEnd } from '../../../../fixtures/ends.ts'

/** Runs commands in a folder, whose data directories lie there. */
async function openFolder(t: TestContext) {
  const cwd = await mkdtemp(join(tmpdir(), 'millrace-backup-'))
  atEnd(t, () => rm(cwd, { recursive: true, force: true, maxRetries: 20 }))
  return async (data: string, ...args: string[]) => {
    const command = startCommand(t, args, { cwd, env: { MILLRACE_DATA: data } })
    const code = await command.end()
    return { code, printed: command.printed(), path: (name: string) => join(cwd, name) }
  }
}

it('millrace backup, backup verify and restore lead to a second instance', async (t) => {
  const run = await openFolder(t)
  const none = await run('first', 'backup', 'b.tar')
  assert.equal(none.code, 2)
  assert.match(none.printed, /there is no data directory .*first \(MILLRACE_DATA\)/)
  const { path } = await run('first', 'migrate')
  const made = await run('first', 'backup', 'b.tar', '--keys')
  assert.equal(made.code, 0, made.printed)
  assert.match(made.printed, /^\d+ rows, \d\.\d MiB: b\.tar$/m)
  assert.equal((await stat(path('b.tar'))).mode & 0o777, 0o600)
  const again = await run('first', 'backup', 'b.tar')
  assert.equal(again.code, 2)
  assert.match(again.printed, /b\.tar exists; --replace overwrites it/)
  const checked = await run('first', 'backup', 'verify', 'b.tar')
  assert.match(checked.printed, /The backup of 20.+Z is whole: \d+ tables in \d+ parts\./)
  const restored = await run('second', 'restore', 'b.tar')
  assert.equal(restored.code, 0, restored.printed)
  assert.match(restored.printed, /Restored \d+ rows of 20/)
  assert.equal((await stat(path('second'))).mode & 0o777, 0o700)
  const verified = await run('second', 'ledger', 'verify')
  assert.match(verified.printed, /Every message is accounted for/)
  const absent = await run('third', 'restore', 'absent.tar')
  assert.equal(absent.code, 1)
  assert.match(absent.printed, /ENOENT.+absent\.tar/)
})

it('a backup with keys holds those of the data directory, and they are restored', async (t) => {
  const run = await openFolder(t)
  // It makes the keys.
  const { path } = await run('first', 'ledger', 'verify')
  await rm(path('first/instance.key'), { force: true })
  const key = `${'ab'.repeat(32)}\n`
  createFileOnce(path('first/instance.key'), key, 0o600)
  const without = await run('first', 'backup', 'a.tar')
  assert.match(without.printed, /holds no keys\. Keep .*instance\.key/)
  const made = await run('first', 'backup', 'b.tar', '--keys')
  assert.match(made.printed, /It holds keys: .*instance\.key/)
  const restored = await run('second', 'restore', 'b.tar')
  assert.equal(restored.code, 0, restored.printed)
  assert.equal(await readFile(path('second/instance.key'), 'utf8'), key)
  assert.equal((await stat(path('second/instance.key'))).mode & 0o777, 0o600)
})
