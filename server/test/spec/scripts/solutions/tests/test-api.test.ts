import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { until } from '../../../../fixtures/engine.ts'
import { encrypted } from '../../../../fixtures/peers/tls-proxy.ts'
import { serverOptions } from '../../../../fixtures/peers/tls-server.ts'
import { type OwnPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { startCli } from '../../../../fixtures/processes/cli-process.ts'
import {
  asToken,
  isThere,
  slow,
  temporaries,
  userFolder,
} from '../../../../fixtures/processes/solution-test-user.ts'
import { pump, tests } from '../../../../fixtures/processes/tested-solution.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'
import { openOpenssl } from '../../../../fixtures/wire/openssl.ts'

describe('millrace solution test on an instance that allows it', () => {
  const suite = suiteContext()
  let instance: OwnPlatform
  let user: Awaited<ReturnType<typeof userFolder>>

  before(async () => {
    user = await userFolder(suite)
    instance = await testPlatform(suite, {
      own: 'allows tests of solutions',
      config: { solutionTests: true },
    })
    await user.save('pump', { ...pump, 'all_test.lua': tests })
    await user.save('slow', slow)
  })

  it('gives a user over TLS what a temporary instance gives', async (t) => {
    const openssl = await openOpenssl(t)
    const { options, ca } = await serverOptions(openssl)
    const url = await encrypted(t, instance.httpUrl, options)
    await user.save('', { 'ca.pem': ca.pem, password: instance.account.password })
    const login = ['login', '--url', url, '--email', instance.account.email]
    const given = ['--password-file', 'password', '--ca', 'ca.pem']
    assert.equal(await user.millrace(t, [...login, ...given]).end(), 0)

    const test = ['solution', 'test', 'pump', '--json']
    const remote = user.millrace(t, test)
    assert.equal(await remote.end(), 1)
    const beside = { DATABASE_URL: await instance.databaseUrl() }
    const local = user.millrace(t, [...test, '--temporary'], beside)
    assert.equal(await local.end(), 1)
    assert.deepEqual(withoutTimes(remote.printed()), withoutTimes(local.printed()))
    const { passed } = JSON.parse(remote.printed())
    assert.equal(passed, tests.match(/function test_(?!wrong|endless|no_h|no_s|outside)/g)?.length)
  })

  it('leaves nothing behind, in no business', async (t) => {
    const { platform, businessId } = instance
    const before = await platform.accounts.listBusinesses()
    const command = user.millrace(t, ['solution', 'test', 'pump'], asToken(instance))
    assert.equal(await command.end(), 1)
    assert.deepEqual(await temporaries(instance), [])
    assert.deepEqual(await platform.accounts.listBusinesses(), before)
    assert.deepEqual(await platform.scripting.solutions.list(businessId), [])
    assert.equal((await platform.provisioning.connectors.list(businessId)).length, 1)
  })

  it('sees no device, no solution and no user of the business', async (t) => {
    const { platform, businessId, connector } = instance
    await platform.provisioning.identities.whitelist(businessId, connector.id, 'd1')
    const { solutions, folders } = platform.scripting
    await solutions.create(businessId, { id: 'levels', name: 'Levels' })
    t.after(() => solutions.remove(businessId, 'levels'))
    const exposed = { name: 'Levels', default_script_key: 'levels', operations: [{ name: 'get' }] }
    await folders.push(businessId, 'levels', [
      { path: 'interface_get.lua', text: 'return {level = 3}' },
      { path: 'services/interface.json', text: JSON.stringify(exposed) },
    ])
    await user.save('alone', {
      'services/device2.yaml': `service: ${connector.id}\n`,
      'services/levels.yaml': 'service: levels\n',
      'services/user.yaml': 'service: user\n',
      'a_test.lua':
        'function test_alone()\n' +
        '  expect(#Device2.listIdentities{}.devices):equals(0)\n' +
        '  expect(Levels.get{}):is_error(501)\n' +
        '  expect(#User.listUsers{}.items):equals(0)\n' +
        'end\n',
    })
    const command = user.millrace(t, ['solution', 'test', 'alone'], asToken(instance))
    assert.equal(await command.end(), 0, command.printed())
  })

  it('ends with the command, if that is killed', async (t) => {
    const env = { ...user.env, ...asToken(instance) }
    const command = startCli(t, ['solution', 'test', 'slow'], { cwd: user.root, env })
    await command.prints(/test_one/)
    const [database = '', ...folder] = await temporaries(instance)
    assert.equal(folder.length, 1)
    process.kill(command.pid, 'SIGKILL')
    await until(async () => !(await isThere(instance, database)))
    await until(async () => (await temporaries(instance)).length === 0)
  })

  it('ends also if the client goes before the first result', async () => {
    const going = new AbortController()
    const [path = '', text = ''] = Object.entries(slow)[0] ?? []
    const asked = fetch(`${instance.httpUrl}/api:1/solution-tests`, {
      method: 'POST',
      headers: { authorization: instance.basic, 'content-type': 'application/json' },
      body: JSON.stringify({ files: [], tests: [{ path, text }], filter: 'test_slow' }),
      signal: going.signal,
    })
    await until(async () => (await temporaries(instance)).length > 0)
    going.abort()
    await assert.rejects(asked, /abort/)
    await until(async () => (await temporaries(instance)).length === 0)
  })

  it('ends at Ctrl-C with 130', async (t) => {
    const command = user.millrace(t, ['solution', 'test', 'slow'], asToken(instance))
    await command.prints(/test_one/)
    assert.equal(await command.end('SIGINT'), 130)
    await until(async () => (await temporaries(instance)).length === 0)
  })
})

/** The results but for what depends on the machine. */
function withoutTimes(printed: string): unknown {
  const { passed, failed, tests: all } = JSON.parse(printed)
  const results = all.map((one: object) => Object.assign(one, { ms: 0, cpu_ms: 0 }))
  return { passed, failed, results }
}
