import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpClientLimits } from '../../../../src/scripts/services/http/index.ts'
import { httpPeer } from '../../../fixtures/http-client.ts'
import { testService } from '../../../fixtures/peers/http-service.ts'

test('an address that is open for one business is reached by its scripts alone', async (t) => {
  const { allowances, call } = await testService(t, { allow: [] })
  const server = await httpPeer(t)
  const asks = async (businessId: string) => {
    const given = await call('get', { url: server.url }, { businessId, solutionId: businessId })
    return (given as { status_code?: number; status?: number }).status_code ?? 'refused'
  }
  await allowances.add('one', server.host)
  assert.deepEqual([await asks('one'), await asks('two')], [200, 'refused'])
  await allowances.remove('one', server.host)
  assert.equal(await asks('one'), 'refused')
  assert.equal(server.connections(), 1)
})

test('entries are stored in one spelling, once, and each business sees its own', async (t) => {
  const { allowances } = await testService(t)
  for (const entry of ['10.0.0.5:80', 'ERP.lan:443', '[FD00:0::5]:*', '167772165:80']) {
    await allowances.add('one', entry)
  }
  assert.deepEqual(
    new Set(await allowances.list('one')),
    new Set(['10.0.0.5:80', 'erp.lan:443', '[fd00::5]:*']),
  )
  assert.deepEqual(await allowances.list('two'), [])
  await assert.rejects(allowances.remove('two', '10.0.0.5:80'), { code: 'not_found' })
  await allowances.remove('one', '0x0a.0.0.5:80')
  await assert.rejects(allowances.remove('one', '10.0.0.5:80'), { code: 'not_found' })
})

test('an entry that cannot be read is refused; nothing opens everything', async (t) => {
  const { allowances } = await testService(t)
  const network = '10.0.0.0/8:80'
  for (const entry of ['', '*', '*:*', '10.0.0.5', network, 'http://x:80', 'a b:1', 'x:0']) {
    await assert.rejects(allowances.add('one', entry), { code: 'invalid_argument' }, entry)
  }
})

test(`a business has at most ${httpClientLimits.httpAllowMax} of them`, async (t) => {
  const { allowances } = await testService(t)
  for (let port = 1; port <= httpClientLimits.httpAllowMax; port += 1) {
    await allowances.add('one', `10.0.0.5:${port}`)
  }
  await allowances.add('one', '10.0.0.5:1')
  await assert.rejects(allowances.add('one', '10.0.0.6:1'), { code: 'invalid_argument' })
  await allowances.add('two', '10.0.0.6:1')
})
