import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, it } from 'node:test'
import { until } from '../../../../fixtures/engine.ts'
import { webhookReceiver } from '../../../../fixtures/peers/push-sms.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { withFixedLimits } from '../../../../fixtures/processes/fixed-limits.ts'
import { startInstance } from '../../../../fixtures/processes/instance-process.ts'
import {
  asToken,
  slow,
  temporaries,
  userFolder,
} from '../../../../fixtures/processes/solution-test-user.ts'
import { suiteContext } from '../../../../fixtures/suite.ts'

const allowing = { own: 'allows tests of solutions', config: { solutionTests: true } }

describe('an instance that is asked to run tests of a solution', () => {
  it('refuses tests that its operator has not allowed', async (t) => {
    const instance = await testPlatform(t)
    const user = await userFolder(t)
    await user.save('slow', slow)
    const command = user.millrace(t, ['solution', 'test', 'slow'], asToken(instance))
    assert.equal(await command.end(), 3)
    assert.match(command.printed(), /MILLRACE_SOLUTION_TESTS.*--temporary/)
    const { status, body } = await post(instance, { files: [], tests: [] })
    assert.deepEqual([status, body.code], [403, 'tests_refused'])
    assert.deepEqual(await temporaries(instance), [])
  })
})

describe('an instance that allows tests of solutions', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  before(async () => {
    instance = await testPlatform(suite, allowing)
  })

  it('names the field of a body that it cannot take', async () => {
    const tests = [{ path: 'a_test.lua', text: '' }]
    for (const [given, field] of [
      [{ tests }, 'files'],
      [{ files: [] }, 'tests'],
      [{ files: [], tests: [{ path: 'a.lua', text: '' }] }, 'path'],
      [{ files: [], tests: [{ path: 'a_test.lua', text: '\0' }] }, 'text'],
      [{ files: [], tests, filter: 1 }, 'filter'],
      [{ files: [], tests, allow_outbound: 'yes' }, 'allow_outbound'],
      [{ files: [], tests, data: [{ path: 'x.json', bytes: -1 }] }, 'bytes'],
      [{ files: [], tests, others: [{ id: '', files: [] }] }, 'id'],
      [{ files: [], tests, surplus: 1 }, 'surplus'],
    ] as const) {
      const { status, body } = await post(instance, given)
      assert.deepEqual([status, body.code], [400, 'invalid_argument'], JSON.stringify(given))
      assert.match(body.message, new RegExp(field))
    }
    const much = await post(instance, { files: [], tests, filter: 'x'.repeat(40 * 1024 ** 2) })
    assert.deepEqual([much.status, much.body.code], [413, 'too_large'])
  })

  it('bounds the runs of a business, and no other has to wait for them', async (t) => {
    const { token } = await instance.otherBusiness()
    const user = await userFolder(t)
    await user.save('slow', slow)
    const test = ['solution', 'test', 'slow']
    const running = [1, 2].map(() => user.millrace(t, test, asToken(instance)))
    for (const command of running) await command.prints(/test_one/)
    const third = user.millrace(t, test, asToken(instance))
    assert.equal(await third.end(), 1)
    assert.match(third.printed(), /2 runs of tests of the business are under way/)
    const one = [...test, '--filter', 'test_one']
    const others = user.millrace(t, one, asToken({ ...instance, token }))
    assert.equal(await others.end(), 0, others.printed())
    for (const command of running) assert.equal(await command.end('SIGINT'), 130)
    await until(async () => (await temporaries(instance)).length === 0)
    const next = user.millrace(t, one, asToken(instance))
    assert.equal(await next.end(), 0, next.printed())
  })
})

describe('a run of tests of a solution on an instance', () => {
  it('is stopped if it takes too long, and reports what has run until then', async (t) => {
    const { otherProcess, token } = await testPlatform(t)
    const user = await userFolder(t)
    await user.save('slow', slow)
    const instance = await startInstance({
      ...(await otherProcess()),
      MILLRACE_DATA: user.root,
      MILLRACE_SOLUTION_TESTS: 'on',
      ...withFixedLimits({ solutionTestMsMax: 5_000 }),
    })
    t.after(() => instance.stop())
    const at = asToken({ httpUrl: instance.httpUrl, token })
    const command = user.millrace(t, ['solution', 'test', 'slow'], at)
    assert.equal(await command.end(), 1, command.printed())
    assert.match(command.printed(), /test_one.*The tests were stopped after 5 seconds\./s)
  })

  it('sends nothing to people, also where scripts may call servers', async (t) => {
    const receiver = await webhookReceiver(t)
    const counter = createServer((_, answer) => void answer.end(`${receiver.accepted.length}`))
    await once(counter.listen(0, '127.0.0.1'), 'listening')
    t.after(() => counter.close())
    const { port } = counter.address() as AddressInfo
    const open = [`127.0.0.1:${port}`, new URL(receiver.url).host]
    const config = { ...allowing.config, outboundAllow: open }
    const instance = await testPlatform(t, { ...allowing, config })
    const user = await userFolder(t)
    const sms = { provider: 'webhook', Url: receiver.url, Secret: receiver.secret }
    await user.save('sends', {
      'services/notification.yaml': JSON.stringify({ Providers: { sms } }),
      'a_test.lua':
        'function test_sends()\n' +
        '  local sid = ("a"):rep(34)\n' +
        '  local person = {ServiceSid = sid, Identity = "ann", BindingType = "sms"}\n' +
        '  person.Endpoint, person.Address = "e", "+15005550009"\n' +
        '  expect(Notification.createBinding(person).error):is_nil()\n' +
        '  local text = {ServiceSid = sid, Identity = "ann", Body = "Hot"}\n' +
        '  text.Sms = {from = "+15005550006"}\n' +
        '  local sent = Notification.send(text)\n' +
        '  expect(sent.error):is_nil()\n' +
        `  local url = "http://127.0.0.1:${port}/"\n` +
        '  local function arrived() return Http.get{url = url}.body ~= "0" end\n' +
        '  expect(arrived()):equals(false)\n' +
        '  expect(function() wait_for(arrived, 2) end):fails("did not come to pass")\n' +
        'end\n',
    })
    const command = user.millrace(
      t,
      ['solution', 'test', 'sends', '--allow-outbound'],
      asToken(instance),
    )
    assert.equal(await command.end(), 0, command.printed())
    assert.deepEqual(receiver.accepted, [])
  })
})

async function post({ httpUrl, token }: Pick<TestPlatform, 'httpUrl' | 'token'>, body: unknown) {
  const response = await fetch(`${httpUrl}/api:1/solution-tests`, {
    method: 'POST',
    headers: { authorization: `Automation ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Refusal }
}

type Refusal = { readonly code: string; readonly message: string }
