import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from './config.ts'

const readProxies = (env: Record<string, string>) => readConfig(env, '/').proxies
const trusted = { MILLRACE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,2001:db8::/32' }

describe('the settings of proxies', () => {
  it('trust nobody by default', () => {
    const none = { trusted: [], protocolOn: [], headers: 'x-forwarded' }
    assert.deepEqual(readProxies({}), { ...none, certificateHeader: undefined })
  })

  it('name addresses, ranges and listeners', () => {
    const on = {
      ...trusted,
      MILLRACE_PROXY_PROTOCOL: 'http,mqtt',
      MILLRACE_PROXY_HEADERS: 'forwarded',
    }
    assert.deepEqual(readProxies({ ...on, MILLRACE_PROXY_CLIENT_CERT: 'client-cert' }), {
      trusted: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'],
      protocolOn: ['http', 'mqtt'],
      headers: 'forwarded',
      certificateHeader: 'client-cert',
    })
  })

  it('are refused with the name of the one that is wrong', () => {
    for (const range of ['10.0.0.0/33', 'proxy.lan', '10.0.0.0/', '::1/129', '1.2.3.4/8/8']) {
      assert.throws(
        () => readProxies({ MILLRACE_TRUSTED_PROXIES: range }),
        /MILLRACE_TRUSTED_PROXIES/,
      )
    }
    const on = { MILLRACE_PROXY_PROTOCOL: 'http' }
    assert.throws(() => readProxies(on), /PROXY_PROTOCOL needs MILLRACE_TRUSTED_PROXIES/)
    const other = { ...trusted, MILLRACE_PROXY_PROTOCOL: 'https' }
    assert.throws(() => readProxies(other), /MILLRACE_PROXY_PROTOCOL has "https"/)
    assert.throws(
      () => readProxies({ MILLRACE_PROXY_HEADERS: 'both' }),
      /MILLRACE_PROXY_HEADERS is "both"/,
    )
  })
})
