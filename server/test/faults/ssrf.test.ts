import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Form, forms, insideV4, insideV6 } from '../fixtures/peers/ssrf-forms.ts'
import type { SsrfReport, Try } from '../fixtures/peers/ssrf-world.ts'

const run = promisify(execFile)
const namespaces = ['--map-root-user', '--net', '--mount', '--']
const runMsMax = 120_000

/** A machine that lets nobody make a namespace cannot run this, and must say so. */
async function missing(): Promise<string | false> {
  try {
    await run('unshare', [...namespaces, 'ip', 'link', 'set', 'lo', 'up'])
    return false
  } catch (error) {
    return `NOT RUN: no network namespace can be made here (${(error as Error).message.trim()})`
  }
}

const skip = await missing()

describe('no form of address leads a script inside', { skip }, () => {
  let fixture: SsrfReport

  before(async () => {
    const script = fileURLToPath(new URL('../fixtures/peers/ssrf-world.ts', import.meta.url))
    const { stdout } = await run('unshare', [...namespaces, process.execPath, script], {
      timeout: runMsMax,
      maxBuffer: 16 * 1024 * 1024,
    })
    fixture = JSON.parse(stdout) as SsrfReport
  })

  const named = (tries: Readonly<Record<string, Try>>, name: string): Try => {
    const found = tries[name]
    assert.ok(found, `${name} was not tried`)
    return found
  }

  test('there are many forms, and each has a name of its own', () => {
    assert.ok(forms.length >= 40)
    assert.equal(new Set(forms.map(({ name }) => name)).size, forms.length)
  })

  for (const address of ['127.0.0.1', '::1', ...insideV4, ...insideV6]) {
    test(`control: ${address} listens, and a plain connection reaches it`, () => {
      assert.equal(fixture.plain[address], 1)
    })
  }

  for (const form of forms) test(`${form.name}: 0 reached`, () => assertRefused(form))

  function assertRefused({ name, control, times = 1, mayAnswer }: Form): void {
    const guarded = named(fixture.guarded, name)
    assert.equal(guarded.inside, 0, `reached by ${guarded.outcomes}`)
    assert.equal(guarded.outcomes.length, times)
    const refusals = guarded.outcomes.filter((outcome) => !/^\d+$/.test(outcome))
    if (mayAnswer !== true) assert.equal(refusals.length, times, String(guarded.outcomes))
    for (const outcome of refusals) assert.match(outcome, /^(nil|address_refused|http_failed)$/)
    if (control === null) return
    assert.ok(named(fixture.controls, name).inside > 0, 'a client without a guard gets inside')
  }

  test('a name that changes its address was answered while it was public', () => {
    const [form] = forms.filter(({ mayAnswer }) => mayAnswer === true)
    const { outcomes, outside } = named(fixture.guarded, form?.name ?? '')
    assert.ok(outside > 0)
    assert.ok(outcomes.includes('200') && outcomes.includes('address_refused'), String(outcomes))
  })

  for (const what of [
    'an address that is open for all',
    'a name that is open for all',
    'an address that is open for this business',
    'the same, over a connection that is kept',
  ]) {
    test(`${what} is reached`, () => {
      const { outcomes, inside } = named(fixture.opened, what)
      assert.deepEqual(outcomes, ['200'])
      assert.ok(inside > 0)
    })
  }

  for (const what of [
    'an address that is open for all, at another port',
    'the address behind that name',
    'the same, for another business',
    'that name, for another business',
  ]) {
    test(`${what} is not reached`, () => {
      const { outcomes, inside, outside } = named(fixture.opened, what)
      assert.deepEqual([outcomes, inside, outside], [['address_refused'], 0, 0])
    })
  }

  for (const what of [
    'a name that is open for this business',
    'a redirect to what is open',
    'a name, while twenty others wait for a server that says nothing',
    'a public address',
    'a public address of IPv6',
  ]) {
    test(`${what} answers`, () => {
      const { outcomes, inside, outside } = named(fixture.opened, what)
      assert.deepEqual(outcomes, ['200'])
      assert.ok(inside + outside > 0)
    })
  }
})
