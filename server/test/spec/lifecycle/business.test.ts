import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Provisioning } from '../../../src/provisioning/index.ts'
import { overTls, provisioningFixture, refuses } from '../../fixtures/provisioning.ts'

type Call = (provisioning: Provisioning, ...where: [business: string, connector: string]) => unknown

const all = { all: true }
const calls: Readonly<Record<string, Call>> = {
  'order its devices to activate again': (its, ...where) => its.orderReprovision(...where, all),
  'extend their windows': (its, ...where) => its.windows.extend(...where, { ...all, hours: 1 }),
  'see their windows': (its, ...where) => its.windows.next(...where, {}),
  'open a rotation': (its, ...where) => its.rotations.open(...where, 'd', { authType: 'token' }),
  'see a rotation': (its, ...where) => its.rotations.get(...where, 'd'),
  'cancel a rotation': (its, ...where) => its.rotations.cancel(...where, 'd'),
  'lock a device': (its, ...where) => its.identities.whitelist(...where, 'd', { locked: true }),
  'remove a device': (its, ...where) => its.identities.remove(...where, 'd'),
  'put a revocation list': (its, ...where) => its.crls.put(...where, Buffer.from('x')),
  'see its revocation list': (its, ...where) => its.crls.get(...where),
  'remove its revocation list': (its, ...where) => its.crls.remove(...where),
  'change its settings': (its, ...where) => its.connectors.patch(...where, { devmode: true }),
}

describe('lifecycle: the operator of another business', () => {
  for (const [what, call] of Object.entries(calls)) {
    it(`cannot ${what}: there is no such connector`, async (t) => {
      const { other, business, provisioning, ...fixture } = await provisioningFixture(t)
      const connector = await fixture.connector({ selfRegistration: true })
      const { token } = await provisioning.activate(connector, 'd', overTls)
      const entries = await fixture.entries()
      await refuses(
        'not_found',
        async () => call(provisioning, other, connector.id),
        'no such connector',
      )
      await provisioning.authenticateToken(token, { encrypted: true })
      assert.deepEqual(await fixture.entries(), entries)
      assert.deepEqual(await provisioning.connectors.get(business, connector.id), connector)
    })
  }
})
