import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { runsWith } from '../../../../fixtures/commands/command-line.ts'
import { emptyAddress, testEngine } from '../../../../fixtures/database.ts'
import { atEnd } from '../../../../fixtures/ends.ts'
import { startCli } from '../../../../fixtures/processes/cli-process.ts'
import {
  type InstanceProcess,
  startInstance,
} from '../../../../fixtures/processes/instance-process.ts'
import {
  type SharedInstance,
  sharedInstance,
} from '../../../../fixtures/processes/two-processes.ts'

const run = promisify(execFile)
const skip = testEngine === 'embedded' && 'the embedded engine has one process'
const key = 'a1'.repeat(32)
const free = '127.0.0.1:0'
const ports = { MILLRACE_HTTP: free, MILLRACE_DEVICE_TLS: free, MILLRACE_MQTT_TLS: free }

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-authority-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Servers with a data directory each, as on machines of their own. */
async function servers(t: TestContext, shared: SharedInstance, count: number) {
  const folders = await Promise.all(Array.from({ length: count }, () => emptyFolder(t)))
  const started = folders.map((folder) =>
    shared.start(undefined, { MILLRACE_DATA: folder, MILLRACE_INSTANCE_KEY: key }),
  )
  return { folders, processes: await Promise.all(started) }
}

/**
 * Returns the verdict of openssl on the certificate of a process, for a device that trusts the
 * file.
 */
async function verifies(shared: SharedInstance, process: InstanceProcess, caFile: string) {
  const { https } = await shared.ask(process, 'GET', `${shared.base}/addresses`)
  const { hostname, port } = new URL(https)
  const asked = ['-connect', `127.0.0.1:${port}`, '-servername', hostname, '-CAfile', caFile]
  const args = [
    's_client',
    ...asked,
    '-verify_hostname',
    hostname,
    '-verify_return_error',
    '-brief',
  ]
  const done = run('openssl', args)
  done.child.stdin?.end()
  return (await done).stderr
}

const copyIn = (folder: string | undefined) => join(folder ?? '', 'tls', 'ca.pem')

it('servers that start at once on one database have one CA', { skip }, async (t) => {
  const shared = await sharedInstance(t)
  const { folders, processes } = await servers(t, shared, 2)
  const copies = await Promise.all(folders.map((folder) => readFile(copyIn(folder), 'utf8')))
  assert.equal(copies[0], copies[1])
  for (const process of processes) {
    assert.match(await verifies(shared, process, copyIn(folders[0])), /Verification: OK/)
  }
  for (const process of processes) assert.equal(await process.stop(), 0)
  const again = await servers(t, shared, 1)
  const [third] = again.processes
  assert.ok(third)
  assert.match(await verifies(shared, third, copyIn(folders[0])), /Verification: OK/)
})

it('a start with another instance key ends, and says why', { skip }, async (t) => {
  const shared = await sharedInstance(t)
  const { processes } = await servers(t, shared, 1)
  assert.equal(await processes[0]?.stop(), 0)
  const other = { MILLRACE_DATA: await emptyFolder(t), MILLRACE_INSTANCE_KEY: 'b2'.repeat(32) }
  const env = { ...process.env, ...shared.settings, ...ports, ...other }
  const command = startCli(t, ['serve'], { cwd: tmpdir(), env })
  assert.equal(await command.end(), 1, command.printed())
  assert.match(
    command.printed(),
    /CA of the instance, .* cannot be used\. This was stored with the instance key [0-9a-f]{8}/,
  )
})

it('a start without the instance key ends, and makes no other one', { skip }, async (t) => {
  const shared = await sharedInstance(t)
  const folder = await emptyFolder(t)
  const own = { MILLRACE_DATA: folder, MILLRACE_INSTANCE_KEY: '' }
  const first = await shared.start(undefined, own)
  assert.equal(await first.stop(), 0)
  const [file, kept] = [join(folder, 'instance.key'), join(folder, 'kept.key')]
  await rename(file, kept)
  const env = { ...process.env, ...shared.settings, ...ports, ...own }
  const command = startCli(t, ['serve'], { cwd: tmpdir(), env })
  assert.equal(await command.end(), 1, command.printed())
  assert.match(command.printed(), /The instance key .*instance\.key is missing/)
  await assert.rejects(readFile(file), { code: 'ENOENT' })
  await rename(kept, file)
  const again = await shared.start(undefined, own)
  assert.equal(await again.stop(), 0)
})

it('a new instance key: the CA is exported before, and put back after', { skip }, async (t) => {
  const shared = await sharedInstance(t)
  const { folders, processes } = await servers(t, shared, 1)
  assert.equal(await processes[0]?.stop(), 0)
  const kept = join(await emptyFolder(t), 'ca')
  const command = async (instanceKey: string, ...args: string[]) => {
    const own = { MILLRACE_DATA: folders[0], MILLRACE_INSTANCE_KEY: instanceKey }
    const env = { ...shared.settings, ...own }
    const { code, stderr } = await runsWith({ cwd: tmpdir(), env })(...args)
    assert.equal(code, 0, stderr)
  }
  const next = 'b2'.repeat(32)
  await command(key, 'authority', 'export', kept)
  await command(next, 'authority', 'replace', '--from', kept)
  const own = { MILLRACE_DATA: await emptyFolder(t), MILLRACE_INSTANCE_KEY: next }
  const restarted = await shared.start(undefined, own)
  assert.match(await verifies(shared, restarted, join(kept, 'ca.pem')), /Verification: OK/)
})

it('a restore on another machine keeps the CA', { skip }, async (t) => {
  const shared = await sharedInstance(t)
  const { folders, processes } = await servers(t, shared, 1)
  assert.equal(await processes[0]?.stop(), 0)
  const file = join(await emptyFolder(t), 'backup.tar')
  const { url = '' } = await emptyAddress(t)
  const elsewhere = { ...shared.settings, MILLRACE_INSTANCE_KEY: key, DATABASE_URL: url }
  const moved = { ...elsewhere, MILLRACE_DATA: await emptyFolder(t) }
  for (const [args, settings] of [
    [['backup', file], { ...shared.settings, MILLRACE_INSTANCE_KEY: key }],
    [['restore', file], moved],
  ] as const) {
    const { code, stderr } = await runsWith({ cwd: tmpdir(), env: settings })(...args)
    assert.equal(code, 0, stderr)
  }
  const restored = await startInstance(moved)
  atEnd(t, () => restored.kill())
  assert.match(await verifies(shared, restored, copyIn(folders[0])), /Verification: OK/)
})
