import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import { assertOk, assertRefused, managementFixture } from '../../../fixtures/wire/management.ts'

const connectors = '/api:1/connectors'
/** The settings that the fixture's connector has at first. */
const expectSettings = (id: string) => ({
  id,
  name: 'Pumps',
  description: '',
  fqdn: `${id}.millrace.test`,
  protocol: { name: 'http', devmode: true },
  identity_format: { prefix: '', type: 'opaque', options: { casing: 'any', length: null } },
  provisioning: {
    auth_type: 'token',
    enabled: true,
    generate_identity: false,
    identities_max: 1_000_000,
    registrations_per_minute: 1_000,
    presenter_identity: false,
    ip_whitelisting: { enabled: false, allowed: [] },
    pki: {
      enabled: false,
      ca: null,
      vendor: null,
      vendor_options: { profile: '', validity_months: null, url: '', api_key_set: false },
    },
    reprovision: { policy: 'on_order', data: 'keep' },
  },
  resources: {
    level: { format: 'number', allowed: [], settable: true },
    seen: { format: 'string', allowed: [], settable: false },
  },
})

async function settingsFixture(t: TestContext) {
  const fixture = await managementFixture(t)
  return { ...fixture, settings: expectSettings(fixture.connector.id) }
}

test('the settings of a connector have the shape of the field', async (t) => {
  const { ask, device, settings } = await settingsFixture(t)
  const reply = await ask('GET', device)
  assertOk(reply)
  assert.deepEqual(reply.json(), settings)
  assert.deepEqual((await ask('GET', connectors)).json(), { connectors: [settings] })
})

test('a patch takes any part and leaves the rest', async (t) => {
  const { ask, device, settings } = await settingsFixture(t)
  const parts = [
    { name: 'Größe 😀' },
    { description: 'in the cellar' },
    { protocol: { devmode: false } },
    { identity_format: { prefix: 'p-', type: 'number', options: { length: 6 } } },
    { identity_format: { options: { casing: 'upper' } } },
    { provisioning: { enabled: false } },
    { provisioning: { generate_identity: true } },
    { resources: { level: null, valve: { format: 'boolean', settable: true, initial: 'true' } } },
    {},
  ]
  for (const body of parts) assertOk(await ask('PATCH', device, { body }))
  const { provisioning, resources } = settings
  assert.deepEqual((await ask('GET', device)).json(), {
    ...settings,
    name: 'Größe 😀',
    description: 'in the cellar',
    protocol: { name: 'http', devmode: false },
    identity_format: { prefix: 'p-', type: 'number', options: { casing: 'upper', length: 6 } },
    provisioning: { ...provisioning, enabled: false, generate_identity: true },
    resources: {
      seen: resources.seen,
      valve: { format: 'boolean', allowed: [], settable: true, initial: 'true' },
    },
  })
})

test('what was read can be written back whole', async (t) => {
  const { ask, device, settings } = await settingsFixture(t)
  const { id: _id, ...body } = settings
  const reply = await ask('PATCH', device, { body })
  assertOk(reply)
  assert.deepEqual(reply.json(), settings)
})

test('what this build does not serve yet is refused by name, not ignored', async (t) => {
  const { ask, device, settings } = await settingsFixture(t)
  const refused = [
    [{ protocol: { name: 'coap' } }, /^protocol\.name must be one of http, onep/],
    [{ fqdn: 'other.example.com' }, /^fqdn is not served/],
    [{ provisioning: { presenter_identity: 1 } }, /^provisioning\.presenter_identity must be/],
    [
      { provisioning: { ip_whitelisting: { enabled: true, allowed: ['10.0.0.0/33'] } } },
      /^provisioning\.ip_whitelisting\.allowed must end in \/0 to \/32: "10\.0\.0\.0\/33"$/,
    ],
    [{ provisioning: { ip_whitelisting: null } }, /^provisioning\.ip_whitelisting must be/],
    [{ provisioning: { auth_type: 'tls' } }, /^provisioning\.auth_type must be one of/],
  ] as const
  for (const [body, message] of refused) {
    assertRefused(await ask('PATCH', device, { body }), 'invalid_argument', message)
  }
  assert.deepEqual((await ask('GET', device)).json(), settings)
})

const wrongFields: readonly (readonly [body: unknown, message: RegExp])[] = [
  [{ name: 7 }, /^name must be a string/],
  [{ description: '\ud800' }, /^description must be well-formed/],
  [{ protocol: 'http' }, /^protocol must be an object/],
  [{ protocol: { devmode: 'yes' } }, /^protocol\.devmode must be true or false/],
  [{ identity_format: { prefix: 1 } }, /^identity_format\.prefix must be a string/],
  [{ identity_format: { type: 'imei' } }, /^identity_format\.type must be one of/],
  [{ identity_format: { options: 6 } }, /^identity_format\.options must be an object/],
  [{ identity_format: { options: { casing: 'Title' } } }, /^identity_format\.options\.casing must/],
  [
    { identity_format: { type: 'uuid', options: { length: 5 } } },
    /^identity_format\.options\.length must be 36/,
  ],
  [{ provisioning: null }, /^provisioning must be an object/],
  [{ provisioning: { enabled: 1 } }, /^provisioning\.enabled must be true or false/],
  [{ provisioning: { identities_max: 0 } }, /^provisioning\.identities_max must be a whole/],
  [{ provisioning: { generate_identity: null } }, /^provisioning\.generate_identity must be true/],
  [{ provisioning: { '../x': 1 } }, /^provisioning\."\.\.\/x" is not a field here/],
  [{ resources: { 'a.b': { format: 'string' } } }, /^alias a\.b must not hold "\."/],
  [{ resources: { a: {} } }, /^resources\.a\.format must be one of/],
  [{ resources: { a: { format: 'string', settable: 'no' } } }, /^resources\.a\.settable must be/],
  [{ resources: { a: { format: 'number', initial: 'x' } } }, /^resources\.a\.initial must be/],
  [{ resources: { a: 'string' } }, /^resources\.a must be an object/],
  [{ ['k'.repeat(100_000)]: 1 }, /^"k{200}" is not a field here/],
]

test('every field of the settings is checked, and named as the wire names it', async (t) => {
  const { ask, device, settings } = await settingsFixture(t)
  for (const [body, message] of wrongFields) {
    assertRefused(await ask('PATCH', device, { body }), 'invalid_argument', message)
  }
  for (const body of ['[]', 'null', '"x"', '{"__proto__":{}}']) {
    assertRefused(await ask('PATCH', device, { body }), 'malformed_request')
  }
  assertRefused(await ask('PATCH', device), 'malformed_request')
  assert.deepEqual((await ask('GET', device)).json(), settings)
})

test('a connector is made with the id that was chosen, or with a new one', async (t) => {
  const { ask, business } = await managementFixture(t)
  const id = `fans-${business.id}`
  const chosen = await ask('POST', connectors, { body: { id, name: 'Fans' } })
  assertOk(chosen, 201)
  assert.equal(chosen.json().fqdn, `${id}.millrace.test`)
  assert.equal(chosen.json().protocol.devmode, false)
  const made = await ask('POST', connectors, {
    body: { name: 'Lamps', provisioning: { generate_identity: true } },
  })
  assertOk(made, 201)
  assertOk(await ask('GET', `/api:1/service/${made.json().id}/device2`))
  assert.equal(made.json().provisioning.generate_identity, true)
  const again = await ask('POST', connectors, { body: { id, name: 'Fans' } })
  assertRefused(again, 'already_exists')
  const all = (await ask('GET', connectors)).json<{ connectors: { name: string }[] }>()
  assert.deepEqual(
    all.connectors.map(({ name }) => name),
    ['Pumps', 'Fans', 'Lamps'],
  )
})

test('no address of a connector reaches anything else', async (t) => {
  const { ask, connector } = await managementFixture(t)
  const odd = [`..%2F${connector.id}`, connector.id.toUpperCase(), 'p'.repeat(3000)]
  for (const id of ['nothing', '%00', '%C3%BC', '%20', ...odd]) {
    for (const rest of ['', '/identity', '/identity/a', '/identity/a/state']) {
      assertRefused(await ask('GET', `/api:1/service/${id}/device2${rest}`), 'not_found')
    }
    const patch = await ask('PATCH', `/api:1/service/${id}/device2`, { body: { name: 'x' } })
    assertRefused(patch, 'not_found')
  }
})
