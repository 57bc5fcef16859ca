import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { runsWith, startCommand } from '../../../fixtures/commands/command-line.ts'
import { testFolder } from '../../../fixtures/ends.ts'
import {
  exampleConnector,
  type TestPlatform,
  testPlatform,
  unique,
} from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

const resources = exampleConnector.resources ?? {}

const plain = unique('plain')
const secret = unique('secret')
const closed = unique('closed')
const signed = unique('signed')

/** The connectors of the business; its first one is in developer mode. */
const others = [
  { id: secret, name: 'S', authType: 'password', selfRegistration: true, resources },
  { id: closed, name: 'W', devmode: true, resources },
  {
    id: signed,
    name: 'C',
    authType: 'certificate',
    pki: { enabled: true, vendor: 'internal' },
    resources,
  },
] as const

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

describe('millrace device simulate', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let folder = ''
  before(async () => {
    instance = await testPlatform(suite, { connector: { ...exampleConnector, id: plain } })
    const { connectors } = instance.platform.provisioning
    for (const connector of others) await connectors.create(instance.businessId, connector)
    folder = await testFolder(suite)
    await writeFile(join(folder, 'token'), instance.token)
  })

  /** The environment of a person on another machine, who knows the instance by a login. */
  const elsewhere = () => ({ HOME: folder })
  /** The environment of the operator on the instance's machine, who needs no login. */
  const beside = () => Object.assign(elsewhere(), { MILLRACE_DATA: instance.operatorDir })
  const byToken = () =>
    Object.assign(elsewhere(), { MILLRACE_URL: instance.httpUrl, MILLRACE_TOKEN: instance.token })

  const run = (env: NodeJS.ProcessEnv, ...args: string[]) => runsWith({ cwd: folder, env })(...args)
  const simulate = (env: NodeJS.ProcessEnv, connector: string, ...more: string[]) => {
    const plan = ['--devices', '3', '--seconds', '60', '--writes', '2', '--every', '100']
    return run(env, 'device', 'simulate', '--connector', connector, ...plan, ...more)
  }

  async function works(ended: Ended, connector: string, prefix: string, activation?: string) {
    assert.equal(ended.code, 0, ended.stderr + ended.stdout)
    const { activations, writes } = JSON.parse(ended.stdout)
    const activated = activation === undefined ? {} : { [activation]: 3 }
    assert.deepEqual(activations.outcomes, activated)
    assert.deepEqual([writes.outcomes, writes.failed], [{ 204: 6 }, 0])
    assert.ok(writes.latencyMs.p99 > 0)
    for (const at of [0, 1, 2]) {
      const { identities } = instance.platform.provisioning
      const one = await identities.get(instance.businessId, connector, `${prefix}${at}`)
      assert.match(one.status, /^(provisioned|devmode)$/)
    }
  }

  it('activates and writes without encryption in developer mode', async () => {
    const ended = await simulate(byToken(), plain, '--prefix', 'p-', '--json')
    assert.match(
      ended.stderr,
      new RegExp(`^3 devices p-0 and on call http:\\S+ as ${plain}\\.localhost\\n`),
    )
    await works(ended, plain, 'p-', '200')
  })

  it('works from another machine over TLS, by a login', async () => {
    const login = ['login', '--url', instance.httpUrl, '--token-file', 'token']
    const { code, stderr } = await run(elsewhere(), ...login)
    assert.equal(code, 0, stderr)
    const address = ['--device-url', instance.tlsUrl, '--ca', instance.caFile]
    const ended = await simulate(elsewhere(), secret, '--prefix', 's-', '--json', ...address)
    assert.match(ended.stderr, new RegExp(`call https:\\S+ as ${secret}\\.localhost\\n`))
    await works(ended, secret, 's-', '204')
  })

  it('finds the port of the device API and its authority by the instance', async () => {
    const ended = await simulate(byToken(), secret, '--prefix', 'f-', '--json')
    assert.ok(ended.stderr.startsWith(`3 devices f-0 and on call ${instance.tlsUrl} as ${secret}.`))
    await works(ended, secret, 'f-', '204')
  })

  it('signs certificates, and finds the device API of this machine by itself', async () => {
    const ended = await simulate(beside(), signed, '--prefix', 'c-', '--json')
    assert.match(ended.stderr, new RegExp(`call https:\\S+ as ${signed}\\.localhost\\n`))
    await works(ended, signed, 'c-')
  })

  it('ends with 1 if devices are refused, and prints why', async () => {
    const refused = await simulate(byToken(), closed)
    assert.equal(refused.code, 1)
    assert.match(refused.stdout, /^activations {2}4\d\d \w+: 3 .*\nwrites {7}none\n$/)
    const wrong = await simulate(byToken(), plain, '--method', 'password')
    assert.deepEqual([wrong.code, /expects another --method/.test(wrong.stderr)], [1, true])
    // A device that is not answered tries again until the time is up.
    const called = (url: string) =>
      simulate(byToken(), plain, '--seconds', '1', '--device-url', url)
    const untrusted = await called(instance.tlsUrl)
    assert.deepEqual([untrusted.code, /: --ca\n$/.test(untrusted.stderr)], [1, true])
    const nowhere = await called('http://127.0.0.1:1')
    assert.deepEqual([nowhere.code, /ECONNREFUSED: /.test(nowhere.stdout)], [1, true])
    assert.match(nowhere.stderr, /may have another address: --device-url\n$/)
    const unsigned = await simulate(beside(), plain, '--method', 'certificate')
    assert.deepEqual([unsigned.code, unsigned.stdout], [1, ''])
    assert.match(
      unsigned.stderr,
      /no certificate for sim-\w+-\d: .*\n.*ca create --connector plain\d+/,
    )
  })

  it('ends with 2 where the command line is wrong, and with 1 or 3 as the API says', async () => {
    const cases = [
      [plain, ['--devices', '0'], 2, /--devices is a whole number from 1 to 5000/],
      [plain, ['--method', 'magic'], 2, /Allowed choices are token, password, certificate/],
      [plain, ['--device-url', 'here'], 2, /--device-url is an address such as/],
      [plain, ['--ca', 'nothing.pem'], 2, /--ca: ENOENT/],
      [secret, ['--device-url', instance.httpUrl], 2, /must begin with https:/],
      ['nothing', [], 1, /connector/],
    ] as const
    for (const [connector, more, code, says] of cases) {
      const ended = await simulate(byToken(), connector, ...more)
      assert.equal(ended.code, code, ended.stderr)
      assert.match(ended.stderr, says)
    }
    const nobody = Object.assign(byToken(), { MILLRACE_TOKEN: 'unknown' })
    assert.equal((await simulate(nobody, plain)).code, 3)
  })

  it('prints the sum after Ctrl-C', async (t) => {
    const args = ['device', 'simulate', '--connector', plain, '--seconds', '3600']
    const command = startCommand(t, args, { cwd: folder, env: byToken() })
    await command.prints(/10 devices {2}204: \d+/)
    assert.equal(await command.end('SIGINT'), 0)
    assert.match(command.printed(), /\nactivations {2}200: 10 .*\nwrites {7}204: \d+ /)
  })
})
