import { strict as assert } from 'node:assert'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

/** A secret that is stored with the address to which it is sent. */
type Place = {
  /** Sets the address, and the secret if there is one. @returns the status. */
  put(address: string, secret?: string): Promise<number>
  /** Resolves to true if the secret is stored. */
  isSet(): Promise<boolean>
}

const source = join(import.meta.dirname, '../../../../src')

/** The files that seal secrets: the place in the table below, or why there is none. */
const sealing: Readonly<Record<string, string>> = {
  'people/accounts/oidc/settings.ts': 'oidc',
  'scripts/services/openapi/credentials.ts': 'openapi',
  'scripts/services/notification/providers/configuration.ts': 'twilio, messenger',
  'devices/provisioning/connectors/changes.ts': 'pki',
  'insight/marketplace/parameters.ts': 'its own test: credentials.test.ts',
  'scripts/services/http/configuration.ts': 'its own test: hosts stand in the secret itself',
  'devices/acme/orders.ts': 'a key of the instance, stored by the URL of its server',
  'people/accounts/oidc/oidc.ts': 'comes back to the instance',
  'people/accounts/sign-in/totp.ts': 'is sent nowhere',
  'scripts/services/openapi/callbacks.ts': 'comes back to the instance',
  'scripts/services/content/signed-urls.ts': 'comes back to the instance',
  'insight/reports/content-urls.ts': 'comes back to the instance',
  'api/graphql/execution/repeats.ts': 'is for who made the request',
  'scripts/scripting/projects/pushed-files.ts': 'is for who pulls the project',
  'scripts/scripting/registry/environment.ts': 'is for the scripts of the solution',
  'devices/provisioning/certificates/authority.ts': 'is sent nowhere',
  'devices/provisioning/certificates/listeners/server-pair.ts': 'is sent nowhere',
}

const document = (base: string) => `openapi: 3.0.3
info: { title: Weather, version: "1" }
servers: [{ url: "${base}" }]
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
paths: { /now: { get: { operationId: getNow, security: [{ key: [] }] } } }
`

describe('a stored secret', () => {
  const context = suiteContext()
  const places = new Map<string, Place>()

  before(async () => {
    const instance = await testPlatform(context)
    const ask = asking(instance)
    await ask('POST', 'solution', { id: 'secretplaces', name: 'Secrets' })
    const at = `solution/secretplaces/serviceconfig`
    /** Makes a configuration at first, and changes it then. */
    const configured = (service: string, of: (address: string, secret?: string) => object) => {
      let id: string | undefined
      return {
        async put(address: string, secret?: string) {
          const parameters = of(address, secret)
          const { status, json } =
            id === undefined
              ? await ask('POST', at, { service, script_key: service, parameters })
              : await ask('PATCH', `${at}/${id}`, { parameters })
          id ??= json.id
          return status
        },
        shown: async () => (await ask('GET', `${at}/${id}`)).json.parameters,
      }
    }
    const cloud = configured('openapi', (address, key) => {
      return { definition: document(address), ...(key && { credentials: { key } }) }
    })
    places.set('openapi', {
      put: cloud.put,
      isSet: async () => (await cloud.shown()).credentialNames !== undefined,
    })
    const sms = configured('notification', (BaseUrl, AuthToken) => {
      return {
        Providers: { sms: { provider: 'twilio', BaseUrl } },
        ...(AuthToken && { AuthToken }),
      }
    })
    places.set('twilio', { put: sms.put, isSet: async () => (await sms.shown()).AuthTokenSet })
    places.set('oidc', makeOidc(ask))
    places.set('pki', await makePki(instance, ask))
    places.set('messenger', makeMessenger(ask, at))
  })

  for (const name of ['openapi', 'twilio', 'messenger', 'oidc', 'pki']) {
    it(`goes to no address that it was not given for: ${name}`, async () => {
      const { put, isSet } = places.get(name) ?? assert.fail(name)
      const [first, second] = ['https://first.example/', 'https://second.example/']
      assert.ok((await put(first, 'the-secret')) < 300)
      assert.equal(await isSet(), true)
      assert.ok((await put(first)) < 300)
      assert.equal(await isSet(), true, 'the same address keeps it')
      const moved = await put(second)
      if (moved < 300) {
        assert.equal(await isSet(), false, 'another address does not get it')
        await put(first)
        assert.equal(await isSet(), false, 'nor does it come back')
      } else assert.equal(moved, 400)
      assert.ok((await put(second, 'another-one')) < 300)
      assert.equal(await isSet(), true)
    })
  }

  it('is known to this test wherever one is sealed', async () => {
    const found: string[] = []
    for await (const file of glob('**/*.ts', { cwd: source })) {
      if (file.endsWith('.test.ts')) continue
      const text = await readFile(join(source, file), 'utf8')
      if (/\b(?:secrets|this\.#secrets)\.seal\(/.test(text)) found.push(file)
    }
    assert.deepEqual(found.sort(), Object.keys(sealing).sort())
  })
})

type Ask = ReturnType<typeof asking>

function asking({ httpUrl, basic }: TestPlatform) {
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(`${httpUrl}/api:1/${path}`, {
      method,
      headers: { authorization: basic, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? {} : JSON.parse(text) }
  }
}

function makeOidc(ask: Ask): Place {
  const settings = { label: 'x', client_id: 'c', domains: ['a.example'] }
  return {
    async put(issuer, secret) {
      const body = { ...settings, issuer, ...(secret && { secret }) }
      return (await ask('PUT', 'business/oidc', body)).status
    },
    isSet: async () => (await ask('GET', 'business/oidc')).status === 200,
  }
}

async function makePki(instance: TestPlatform, ask: Ask): Promise<Place> {
  const { businessId, connector, platform } = instance
  const { authorities } = platform.provisioning
  const own = await authorities.create(businessId, connector.id, { use: false })
  const at = `service/${connector.id}/device2`
  const pki = { enabled: true, ca: own.certificatePem, vendor: 'cfssl' }
  return {
    async put(url, key) {
      const options = { url, ...(key && { api_key: key }) }
      const body = { provisioning: { pki: { ...pki, vendor_options: options } } }
      return (await ask('PATCH', at, body)).status
    },
    isSet: async () =>
      (await ask('GET', at)).json.provisioning.pki.vendor_options.api_key_set === true,
  }
}

/** The provider refuses settings without its token. */
function makeMessenger(ask: Ask, at: string): Place {
  return {
    async put(BaseUrl, token) {
      const { items } = (await ask('GET', at)).json
      const found = items.find((one: { script_key: string }) => one.script_key === 'notification')
      const messenger = { provider: 'messenger', BaseUrl, ...(token && { PageAccessToken: token }) }
      const parameters = { Providers: { 'vendor-messenger': messenger } }
      return (await ask('PATCH', `${at}/${found.id}`, { parameters })).status
    },
    isSet: async () => true,
  }
}
