import assert from 'node:assert/strict'
import { it } from 'node:test'
import { interfaceFixture } from '../../../../test/fixtures/interface.ts'
import type { ServiceCall } from '../../scripting/index.ts'

it('non-solution services cannot broadcast with trigger', async (t) => {
  const { millrace, businessId } = await interfaceFixture(t)
  const { service } = millrace.platform.interfaces
  const call: ServiceCall = {
    businessId,
    alias: 'interface',
    configuration: undefined,
    trackingId: 't',
    depth: 0,
    remainingMs: 1_000,
    signal: new AbortController().signal,
    solutionId: '',
  }
  const trigger = service.operation('trigger')
  for (const solutionId of ['', 'my-connector', 'http client']) {
    await assert.rejects(async () => trigger?.({ ...call, solutionId }, { event: 'tick' }), {
      code: 'forbidden',
      detail: 'Only a solution has subscribers, and can trigger them.',
    })
  }
  await assert.rejects(async () => trigger?.({ ...call, solutionId: 'pump' }, { event: 'tick' }), {
    code: 'not_found',
  })
})
