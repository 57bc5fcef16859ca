import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuses } from '../../../../test/fixtures/provisioning.ts'
import { limits } from '../../../kernel/index.ts'
import { createVendorSemaphore } from './semaphore.ts'

test('a connector has few signings under way, the process not many; ends make room', async () => {
  const turn = createVendorSemaphore()
  const ends: (() => void)[] = []
  const wait = () => new Promise<void>((resolve) => ends.push(resolve))
  const running: Promise<void>[] = []
  for (let at = 0; at < limits.vendorCallsOfConnectorMax; at += 1) running.push(turn('c0', wait))
  await refuses('overloaded', () => turn('c0', wait), 'Try again')
  for (let other = 1; running.length < limits.vendorCallsMax; other += 1) {
    running.push(turn(`c${other}`, wait))
  }
  await refuses('overloaded', () => turn('fresh', wait))
  for (const end of ends) end()
  await Promise.all(running)
  const broken = () => turn('c0', () => Promise.reject(new Error('broken')))
  for (let at = 0; at <= limits.vendorCallsMax; at += 1) await assert.rejects(broken, /broken/)
  assert.equal(await turn('c0', async () => 'done'), 'done')
})
