import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { it, type TestContext } from 'node:test'
import { testEngine } from '../../../../fixtures/database.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { newerVersion } from '../../../../fixtures/migrations.ts'
import { startProgram } from '../../../../fixtures/processes/cli-process.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../../fixtures/processes/instance-process.ts'
import { cli } from '../../../../fixtures/processes/page.ts'
import { type SharedDevice, sharedInstance } from '../../../../fixtures/processes/two-processes.ts'

const skip = testEngine === 'embedded' && 'the embedded engine has one process'

const expanding = {
  '9997_x.sql': '-- beside: yes\nalter table hosts_label add column planted text;\n',
}
const contracting = { '9998_x.sql': 'alter table hosts_label drop column planted;\n' }

/** An instance with a process, and how a newer version that adds to its tables is started. */
async function sideBySide(t: TestContext) {
  const shared = await sharedInstance(t)
  const old = await shared.start()
  const device = await shared.device(old, 'device')
  const upgrade = async () => {
    const newer = await startInstance(shared.settings, await newerVersion(t, expanding))
    atEnd(t, () => newer.kill())
    return newer
  }
  return { shared, old, device, upgrade }
}

async function allTakeWrites(device: SharedDevice, processes: readonly InstanceProcess[]) {
  for (const one of processes) {
    assert.equal((await device.at(one).write('n=1')).status, 204)
    assert.equal((await fetch(`${one.httpUrl}/healthz`)).status, 200)
  }
}

it('two versions serve side by side if the newer one only adds', { skip }, async (t) => {
  const { shared, old, device, upgrade } = await sideBySide(t)
  const answers: number[] = []
  let upgrading = true
  const writing = (async () => {
    while (upgrading) answers.push((await device.at(old).write(`n=${answers.length}`)).status)
  })()
  const newer = await upgrade()
  upgrading = false
  await writing
  assert.deepEqual(new Set(answers), new Set([204]), 'the older one answered all the time')
  await allTakeWrites(device, [old, newer])
  // Both connect again, and compare the tables.
  const client = await shared.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and classid = 7461 and objid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())`,
  )
  await allTakeWrites(device, [old, newer, await shared.start()])
})

it('a table that is in use for long ends the migration beside others', { skip }, async (t) => {
  const { shared, old, device } = await sideBySide(t)
  const newer = await newerVersion(t, expanding)
  const limit = { MILLRACE_LIMIT_BESIDE_LOCK_MS_MAX: '200' }
  const env = { ...process.env, ...shared.settings, ...limit }
  const migrate = async (code: number) => {
    const command = startProgram(t, [process.execPath, newer, 'migrate'], { cwd: tmpdir(), env })
    assert.equal(await command.end(), code, command.printed())
    return command.printed()
  }
  const long = await shared.connect()
  await long.query('begin')
  await long.query('lock table hosts_label in access share mode')
  const refused = await migrate(1)
  assert.match(
    refused,
    /one transaction has used them for more than 0\.2 s, such as that of a backup/,
  )
  const made = "select 1 from database_migration where name = '9997_x.sql'"
  assert.equal((await long.query(made)).rowCount, 0, 'nothing was changed')
  await allTakeWrites(device, [old])
  await long.query('commit')
  assert.equal(await migrate(0), 'ran 9997_x.sql\n')
  await allTakeWrites(device, [old])
})

it('a version that takes away waits until all others are gone', { skip }, async (t) => {
  const { shared, old, device, upgrade } = await sideBySide(t)
  const newer = await upgrade()
  const newest = await newerVersion(t, { ...expanding, ...contracting })
  const env = { ...process.env, ...shared.settings }
  const migrate = async (program: string, code: number) => {
    const command = startProgram(t, [process.execPath, program, 'migrate'], { cwd: tmpdir(), env })
    assert.equal(await command.end(), code, command.printed())
    return command.printed()
  }
  assert.match(await migrate(newest, 1), /others serve from them: process \d+ on /)
  await allTakeWrites(device, [old, newer])
  for (const one of [old, newer]) assert.equal(await one.stop(), 0)
  assert.equal(await migrate(newest, 0), 'ran 9998_x.sql\n')
  const refused = await migrate(cli, 1)
  assert.match(refused, /written by a newer version of Millrace \(9998_x\.sql\)/)
})
