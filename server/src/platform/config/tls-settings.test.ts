import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { configTemplate, readConfig } from './config.ts'

const readTls = (env: Record<string, string>) => readConfig(env, '/base').tls

describe('the settings of TLS', () => {
  it('are none by default, and stand in the template', () => {
    const none = { pairs: [], folder: undefined, rsaKeyExchange: false, acme: undefined }
    assert.deepEqual(readTls({}), none)
    assert.match(configTemplate(), /^MILLRACE_TLS_CERT=$/m)
  })

  it('name each certificate with its key, from the folder of the instance', () => {
    const { pairs } = readTls({
      MILLRACE_TLS_CERT: 'a.crt, /b.crt',
      MILLRACE_TLS_KEY: 'a.key,/b.key',
    })
    assert.deepEqual(pairs, [
      { cert: '/base/a.crt', key: '/base/a.key' },
      { cert: '/b.crt', key: '/b.key' },
    ])
    const one = { MILLRACE_TLS_CERT: 'a.crt,b.crt', MILLRACE_TLS_KEY: 'a.key' }
    assert.throws(() => readTls(one), /MILLRACE_TLS_CERT names 2 files and MILLRACE_TLS_KEY 1/)
    assert.throws(
      () => readTls({ MILLRACE_TLS_RSA_KEY_EXCHANGE: 'yes' }),
      /_RSA_KEY_EXCHANGE is "yes"/,
    )
  })

  it('order certificates by ACME where hosts are named', () => {
    const names = { MILLRACE_ACME_NAMES: 'Example.test, b.example.test' }
    const { acme } = readTls({ ...names, MILLRACE_ACME_KEYS: 'ecdsa,rsa' })
    assert.deepEqual(acme?.names, ['example.test', 'b.example.test'])
    assert.deepEqual(acme?.keys, ['ecdsa', 'rsa'])
    assert.equal(acme?.url, 'https://acme-v02.api.letsencrypt.org/directory')
    const star = { MILLRACE_ACME_NAMES: '*.example.test' }
    assert.throws(() => readTls(star), /needs MILLRACE_ACME_DNS_HOOK/)
    assert.equal(readTls({ ...star, MILLRACE_ACME_DNS_HOOK: 'hook' }).acme?.dnsHook, '/base/hook')
    assert.throws(() => readTls({ MILLRACE_ACME_NAMES: 'a/b' }), /MILLRACE_ACME_NAMES has "a\/b"/)
    assert.throws(
      () => readTls({ ...names, MILLRACE_ACME_URL: 'http://x' }),
      /should be an https URL/,
    )
    assert.throws(
      () => readTls({ ...names, MILLRACE_ACME_KEYS: 'dsa' }),
      /MILLRACE_ACME_KEYS has "dsa"/,
    )
    assert.throws(
      () => readTls({ ...names, MILLRACE_ACME_CA: 'none' }),
      /MILLRACE_ACME_CA: .* cannot/,
    )
  })
})
