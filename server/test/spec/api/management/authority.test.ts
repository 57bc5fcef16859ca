import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { openCa, type TestCa } from '../../../fixtures/wire/ca.ts'
import { assertOk, assertRefused, managementFixture } from '../../../fixtures/wire/management.ts'
import { openOpenssl } from '../../../fixtures/wire/openssl.ts'

let ca: TestCa

let fixture: Awaited<ReturnType<typeof managementFixture>>

const shareInstance = sharedBySuites(async (suite) => {
  ca = await openCa(await openOpenssl(suite))
  fixture = await managementFixture(suite)
})

const noVendor = {
  profile: '',
  validity_months: null,
  url: '',
  api_key_set: false,
}

/** A connector of its own for a test. */
async function newConnector(name: string, pki?: object) {
  const provisioning = pki === undefined ? {} : { provisioning: { pki } }
  const made = await fixture.ask('POST', '/api:1/connectors', { body: { name, ...provisioning } })
  assertOk(made, 201)
  const device = `/api:1/service/${made.json().id}/device2`
  const url = `${device}/ca`
  return {
    url,
    create: (body?: unknown) => fixture.ask('POST', url, { body }),
    show: () => fixture.ask('GET', url),
    async pki() {
      const reply = await fixture.ask('GET', device)
      return reply.json().provisioning.pki
    },
  }
}

describe('the certificate authority of a connector: created and shown', () => {
  shareInstance()

  it('is not there at first', async () => {
    const { show } = await newConnector('none')
    assertRefused(await show(), 'not_found', /no certificate authority/)
  })

  it('is created once, shown, and used from then on', async () => {
    const { create, show, pki } = await newConnector('used')
    const reply = await create({ use: true })
    assertOk(reply, 201)
    const { certificate, not_before, not_after } = reply.json()
    const { ca, validFromDate, validToDate } = new X509Certificate(certificate)
    assert.equal(ca, true)
    const times = [validFromDate.getTime() * 1_000, validToDate.getTime() * 1_000]
    assert.deepEqual([not_before, not_after], times)
    assert.deepEqual((await show()).json(), reply.json())
    assert.deepEqual(await pki(), {
      enabled: true,
      ca: null,
      vendor: 'internal',
      vendor_options: noVendor,
    })
    for (const use of [true, false]) {
      assertRefused(await create({ use }), 'already_exists', /already has a certificate authority/)
    }
    assert.deepEqual((await show()).json(), reply.json())
  })

  it('is used unless the request says otherwise', async () => {
    const preset = await newConnector('preset')
    assertOk(await preset.create({}), 201)
    assert.equal((await preset.pki()).vendor, 'internal')
    const unused = await newConnector('unused')
    assertOk(await unused.create({ use: false }), 201)
    const untouched = { enabled: false, ca: null, vendor: null, vendor_options: noVendor }
    assert.deepEqual(await unused.pki(), untouched)
    assertRefused(await unused.create({ use: true }), 'already_exists')
    assert.deepEqual(await unused.pki(), untouched)
    assertOk(await (await newConnector('bodiless')).create(), 201)
  })
})

describe('the certificate authority of a connector: what is refused', () => {
  shareInstance()

  it('is not created beside another client CA, if it is to be used', async () => {
    for (const enabled of [true, false]) {
      const { create, show, pki } = await newConnector(`other-${enabled}`, { enabled, ca: ca.pem })
      const before = await pki()
      assertRefused(await create({ use: true }), 'ca_conflict', /different client CA/)
      assertRefused(await show(), 'not_found')
      assert.deepEqual(await pki(), before)
      assertOk(await create({ use: false }), 201)
      assert.deepEqual(await pki(), before)
    }
  })

  it('takes no other type of a field', async () => {
    const { create, show } = await newConnector('strict')
    assertRefused(await create({ use: 'yes' }), 'invalid_argument', /^use must be true or false/)
    assertRefused(await create([]), 'malformed_request')
    assertRefused(await show(), 'not_found')
  })
})
