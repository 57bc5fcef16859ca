import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { limits } from '../../src/kernel/index.ts'
import { assertOk, assertRefused, managementFixture } from '../support/management.ts'

test('the ledger tells what was taken and done, and that it adds up', async (t) => {
  const { ask } = await managementFixture(t)
  const device = '/api:1/service/pumps/device2/identity/a'
  assertOk(await ask('PUT', device, { body: {} }))
  assertOk(await ask('PATCH', `${device}/state`, { body: { level: 1 } }), 204)
  assertOk(await ask('DELETE', device), 204)
  const reply = await ask('GET', '/api:1/ledger')
  assertOk(reply)
  const { stages, faults, hours } = reply.json()
  assert.deepEqual(faults, [])
  const log = stages.find((one: { stage: string }) => one.stage === 'log')
  assert.deepEqual(log, { stage: 'log', taken: 2, done: 2, failed: 0, pending: 0 })
  assert.equal(hours.length, 1)
})

test('the ledger tells at most so many hours', async (t) => {
  const { ask } = await managementFixture(t)
  for (const limit of [1, limits.ledgerHoursMax]) {
    assertOk(await ask('GET', `/api:1/ledger?limit=${limit}`))
  }
  for (const query of [`limit=${limits.ledgerHoursMax + 1}`, 'limit=0', 'limit=x', 'hours=1']) {
    assertRefused(await ask('GET', `/api:1/ledger?${query}`), 'invalid_argument')
  }
})

test('a business has the built-in module, and no other until one answers', async (t) => {
  const { ask } = await managementFixture(t)
  const listed = (await ask('GET', '/api:1/modules')).json<{ modules: { id: string }[] }>()
  assert.deepEqual(
    listed.modules.map(({ id }) => id),
    ['builtin'],
  )
  const add = (body: unknown) => ask('POST', '/api:1/modules', { body })
  assertRefused(await add({ name: 'x', url: 'http://127.0.0.1:1/' }), 'address_refused')
  for (const body of [{}, { url: 7 }, { url: 'x', name: 7 }, { url: '' }, { url: 'x', id: 'y' }]) {
    assertRefused(await add(body), 'invalid_argument')
  }
  for (const id of ['nothing', '%00', '..%2Fx', 'A']) {
    assertRefused(await ask('DELETE', `/api:1/modules/${id}`), 'not_found')
  }
})
