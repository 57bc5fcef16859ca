import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify, stripVTControlCharacters } from 'node:util'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { waitMsMax } from '../../../fixtures/bounds.ts'
import { type RunCommand, runsCommands } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { millrace } from '../../../fixtures/processes/page.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { openCa } from '../../../fixtures/wire/ca.ts'
import { openCrls } from '../../../fixtures/wire/crl.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { openOpenssl } from '../../../fixtures/wire/openssl.ts'

let instance: TestPlatform
/** On the connector of the instance. */
let run: RunCommand
/** The same for a user who may only read. */
let runAsViewer: RunCommand
let folder: string

const shareInstance = sharedBySuites(async (suite) => {
  instance = await testPlatform(suite)
  folder = await testFolder(suite)
  run = on(instance.token)
  const role = { name: 'viewer', role: 'Viewer' } as const
  runAsViewer = on((await instance.platform.accounts.createToken(instance.businessId, role)).token)
})

function on(token: string): RunCommand {
  const command = runsCommands({ httpUrl: instance.httpUrl, token })
  return (...words) => command(...words, '--connector', instance.connector.id)
}

const file = (name: string) => join(folder, name)

/** Runs a command that must succeed. Returns the JSON that it prints. */
async function json(...words: readonly string[]) {
  const { code, stdout, stderr } = await run(...words, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

/** The command line of a command, for a shell. */
const formatLine = (...words: readonly string[]) =>
  [process.execPath, millrace, ...words, '--connector', instance.connector.id].join(' ')

async function inShell(program: string, words: readonly string[]): Promise<string> {
  const env = { ...process.env, MILLRACE_URL: instance.httpUrl, MILLRACE_TOKEN: instance.token }
  return (await promisify(execFile)(program, words, { env, timeout: waitMsMax })).stdout
}

async function printed(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words)
  assert.equal(code, 0, stderr)
  return stdout
}

describe('the commands of contents', () => {
  shareInstance()

  it('uploads a file as it is, shows it and lists it', async () => {
    const bytes = randomBytes(3_000_000)
    await writeFile(file('firmware.bin'), bytes)
    const words = ['--id', 'a b.bin', '--type', 'application/x-firmware', '--meta', '1 & 2']
    const put = await json('content', 'put', '--file', file('firmware.bin'), ...words)
    const { updated, ...rest } = put
    const content = { id: 'a b.bin', content_type: 'application/x-firmware', size: 3_000_000 }
    assert.deepEqual(rest, { ...content, meta: '1 & 2' })
    assert.ok(Number.isSafeInteger(updated))
    assert.deepEqual(await json('content', 'show', '--id', 'a b.bin'), put)
    assert.deepEqual(await json('content', 'list'), [put])
    const line = /^a b\.bin {2}application\/x-firmware {2}3000000 bytes {2}\S+Z {2}1 & 2\n$/
    assert.match(await printed('content', 'list'), line)
    assert.match(await printed('content', 'show', '--id', 'a b.bin'), line)
    const device = await newDevice(instance.httpUrl, instance.connector.id, 'content-reader')
    const answer = await fetch(`${instance.httpUrl}/provision/download?id=a%20b.bin`, {
      headers: { 'X-vendor-CIK': device.token },
    })
    assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())))
  })

  it('uploads the standard input, whose size shows at its end', async () => {
    const line = formatLine('content', 'put', '--id', 'piped', '--file', '-', '--json')
    const put = JSON.parse(await inShell('bash', ['-c', `head -c 700000 /dev/zero | ${line}`]))
    assert.equal(put.size, 700_000)
  })

  it('passes on why a file is refused, although it was not read', async () => {
    await writeFile(file('large.bin'), '')
    await truncate(file('large.bin'), limits.contentBytesMax + 1)
    const words = ['content', 'put', '--id', 'large', '--file', file('large.bin')]
    const large = await run(...words)
    assert.deepEqual([large.code, /exceeds the size limit/.test(large.stderr)], [1, true])
    const refused = await runAsViewer(...words)
    assert.deepEqual([refused.code, /Setup/.test(refused.stderr)], [3, true], refused.stderr)
  })

  it('shows a progress bar on a terminal, and none elsewhere', async () => {
    await writeFile(file('bar.bin'), randomBytes(500_000))
    const words = ['content', 'put', '--id', 'bar', '--file', file('bar.bin')]
    assert.doesNotMatch(await printed(...words), /%/)
    const seen = await inShell('script', ['-qec', formatLine(...words), '/dev/null'])
    const text = stripVTControlCharacters(seen)
    assert.match(text, /\[-{24}\] {3}0 % {2}0\.0 MB of 0\.5 MB sent/)
    assert.match(text, /\rbar {2}application\/octet-stream/)
  })
})

describe('the command of revocation lists', () => {
  shareInstance()

  it('puts, prints and removes the list of a client CA', async (t) => {
    const openssl = await openOpenssl(t)
    const ca = await openCa(openssl)
    const pki = { enabled: true, caPem: ca.pem, vendor: null }
    const { connectors } = instance.platform.provisioning
    await connectors.patch(instance.businessId, instance.connector.id, { pki })
    const none = await run('ca', 'crl')
    assert.deepEqual(none, { code: 0, stdout: '', stderr: 'There is no revocation list.\n' })
    assert.equal(await json('ca', 'crl'), null)
    const pem = await (await openCrls(openssl, ca)).make({ number: 7 })
    await writeFile(file('list.pem'), pem)
    const der = ['-in', file('list.pem'), '-outform', 'DER', '-out', file('list.der')]
    await openssl.command('crl', ...der)
    for (const name of ['list.pem', 'list.der']) {
      const put = await run('ca', 'crl', '--file', file(name))
      assert.match(put.stderr, /^Number 7, 0 revoked, a newer one is due \S+Z\.\n$/)
      assert.equal(await printed('ca', 'crl'), put.stdout)
      await writeFile(file('back.pem'), put.stdout)
      await openssl.command('crl', '-in', file('back.pem'), '-outform', 'DER', '-out', file('back'))
      assert.deepEqual(await readFile(file('back')), await readFile(file('list.der')))
    }
    assert.equal((await json('ca', 'crl')).number, '7')
    await writeFile(file('list.txt'), 'no list')
    assert.equal((await run('ca', 'crl', '--file', file('list.txt'))).code, 1)
    await truncate(file('list.txt'), limits.crlBytesMax + 1)
    const large = await run('ca', 'crl', '--file', file('list.txt'))
    assert.deepEqual([large.code, /exceeds the size limit/.test(large.stderr)], [1, true])
    assert.equal((await run('ca', 'crl', '--file', 'x', '--clear')).code, 2)
    assert.equal((await run('ca', 'crl', '--clear')).code, 2)
    assert.equal(await printed('ca', 'crl', '--clear', '--yes'), 'the list is removed\n')
    assert.equal((await run('ca', 'crl', '--clear', '--yes')).code, 1)
  })
})

describe('the command of resources', () => {
  shareInstance()

  it('defines those of a file, removes those that are named, and leaves the others', async () => {
    const before = await json('connector', 'resources')
    const gauges = 'gauge: {format: number, unit: cm, allowed: ["0-9"]}\n'
    const valves = 'valve: {format: boolean, settable: true}\n'
    await writeFile(file('resources.yaml'), gauges + valves)
    const changed = await json('connector', 'resources', '--file', file('resources.yaml'))
    const { gauge, valve, ...others } = changed
    assert.deepEqual(others, before)
    assert.deepEqual([gauge.unit, valve.settable], ['cm', true])
    const lines = await printed('connector', 'resources')
    assert.match(lines, /^gauge +number +cm, "0-9"$/m)
    assert.match(lines, /^valve +boolean +settable$/m)
    const removed = ['--remove', 'gauge', '--remove', 'valve']
    assert.deepEqual(await json('connector', 'resources', ...removed), before)
    await writeFile(file('resources.yaml'), 'gauge: {format: imaginary}')
    const refused = await run('connector', 'resources', '--file', file('resources.yaml'))
    assert.deepEqual([refused.code, /gauge.*format/.test(refused.stderr)], [1, true])
    assert.equal((await runAsViewer('connector', 'resources', '--remove', 'gauge')).code, 3)
  })

  it('names the place of a fault in a file, and refuses one of too many values', async () => {
    const readRefusal = async (text: string) => {
      await writeFile(file('odd.yaml'), text)
      const { code, stderr } = await run('connector', 'resources', '--file', file('odd.yaml'))
      assert.equal(code, 2, stderr)
      return stderr
    }
    assert.match(await readRefusal('a: 1\nb: c: d\n'), /is neither YAML nor JSON: .*\(2:5\)/)
    const rows = [1, 2, 3, 4, 5, 6].map((at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(10)}]`)
    const growing = ['a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]', ...rows].join('\n')
    assert.match(await readRefusal(growing), /has values that are too many, or circular/)
  })
})

describe('the command that imports a connector', () => {
  shareInstance()

  it('takes a file of resources alone', async () => {
    const path = file('resources.yaml')
    await writeFile(path, 'led: {format: boolean, settable: true}\nid: {format: string}\n')
    const of = runsCommands(instance)
    const made = await of('connector', 'import', '--file', path, '--name', 'Lamps', '--json')
    assert.equal(made.code, 0, made.stderr)
    assert.deepEqual(Object.keys(JSON.parse(made.stdout).resources), ['led', 'id'])
    await writeFile(path, 'led: {format: boolean}\ncolour: 1\n')
    const refused = await of('connector', 'import', '--file', path, '--name', 'Lamps')
    assert.match(refused.stderr, /"led" is not a field here/)
  })
})
