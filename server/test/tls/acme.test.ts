import assert from 'node:assert/strict'
import { chmod, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { acmeLimits } from '../../src/devices/acme/index.ts'
import type { Config } from '../../src/platform/config/index.ts'
import { until as untilIt } from '../fixtures/interface.ts'
import { type Pebble, pebbleMissing, startPebble } from '../fixtures/peers/pebble.ts'
import { handshake } from '../fixtures/peers/server-certificates.ts'
import { testPlatform } from '../fixtures/platform.ts'
import { freePort } from '../fixtures/processes/programs.ts'
import { suiteContext } from '../fixtures/suite.ts'
import { type Openssl, openOpenssl } from '../fixtures/wire/openssl.ts'
import { relayTo } from '../fixtures/wire/relay.ts'

type Acme = NonNullable<Config['tls']['acme']>

/** By a time that a busy machine keeps; the orders of a test are several conversations. */
const until = (holds: () => Promise<boolean>) => untilIt(holds, (value) => value)

const hook = `#!/bin/sh
# Sets a TXT record by the API of pebble's DNS server.
case "$1" in
  add) curl -sS -d "{\\"host\\":\\"$2.\\",\\"value\\":\\"$3\\"}" "$DNS_API/set-txt" ;;
  remove) curl -sS -d "{\\"host\\":\\"$2.\\"}" "$DNS_API/clear-txt" ;;
esac
`

describe('certificates that are ordered by ACME, from pebble', { skip: pebbleMissing }, () => {
  const suite = suiteContext()
  let openssl: Openssl
  let pebble: Pebble
  let port: number
  before(async () => {
    Object.assign(acmeLimits, { acmeLookMs: 100, acmeRetryMs: 1_000 })
    openssl = await openOpenssl(suite)
    port = await freePort()
    pebble = await startPebble(suite, openssl, port)
    await openssl.write('root.pem', await pebble.root())
  })

  async function start(
    t: TestContext,
    acme: Pick<Acme, 'names'> & Partial<Acme>,
    domain = 'example.test',
  ) {
    const usual = { email: undefined, dnsHook: undefined, keys: ['ecdsa'] as const }
    const settings = { ...usual, url: pebble.url, ca: pebble.ca, ...acme }
    const tls = { pairs: [], folder: undefined, rsaKeyExchange: false, acme: settings }
    const http = { host: '127.0.0.1', port }
    const millrace = await testPlatform(t, {
      own: 'gets a certificate by ACME',
      config: { http, tls, domain },
    })
    return { millrace, tlsPort: new URL(millrace.tlsUrl).port }
  }
  const shake = (tlsPort: string, host: string, ...args: string[]) => {
    const trusts = ['-CAfile', openssl.path('root.pem'), '-verify_return_error']
    return handshake(tlsPort, ...trusts, '-servername', host, '-verify_hostname', host, ...args)
  }
  const verifies = async (tlsPort: string, host: string, ...args: string[]) =>
    (await shake(tlsPort, host, ...args)).includes('Verification: OK')

  it('are of both kinds, answered over HTTP, and serve the names at once', async (t) => {
    const names = ['example.test', 'pumps.example.test']
    const { millrace, tlsPort } = await start(t, { names, keys: ['ecdsa', 'rsa'] })
    const rsa = ['-tls1_2', '-cipher', 'ECDHE-RSA-AES128-GCM-SHA256']
    for (const name of names) {
      await until(() => verifies(tlsPort, name))
      await until(() => verifies(tlsPort, name, ...rsa))
    }
    const dir = join(millrace.platform.config.dataDir, 'tls', 'acme')
    assert.deepEqual((await readdir(dir)).sort(), ['ecdsa.pem', 'rsa.pem'])
    const wrong = await fetch(`${millrace.httpUrl}/.well-known/acme-challenge/..%2Fecdsa.pem`)
    assert.equal(wrong.status, 404)
    const first = await readFile(join(dir, 'rsa.pem'), 'utf8')
    const [ends] = millrace.certificates().map(({ until: end }) => end)
    millrace.clock.step((ends ?? 0) - millrace.clock.nowMs() - 24 * 3_600_000)
    await until(async () => (await readFile(join(dir, 'rsa.pem'), 'utf8')) !== first)
  })

  it('are for a domain and all names under it, with a program that sets TXT records', async (t) => {
    const dnsHook = await openssl.write('hook', hook.replaceAll('$DNS_API', pebble.dnsUrl))
    await chmod(dnsHook, 0o700)
    const { millrace, tlsPort } = await start(t, {
      names: ['*.example.test', '*.eu.example.test'],
      dnsHook,
    })
    await until(() => verifies(tlsPort, `${millrace.connector.id}.example.test`))
    await until(() => verifies(tlsPort, 'pumps.eu.example.test'))
  })

  it('are tried again after a failure, and the instance serves its own meanwhile', async (t) => {
    const relay = await relayTo(t, pebble.url)
    relay.cut(true)
    const url = `https://localhost:${new URL(relay.origin).port}/dir`
    const { millrace, tlsPort } = await start(t, { names: ['own.test'], url }, 'own.test')
    const ca = ['-CAfile', millrace.caFile, '-servername', 'own.test']
    assert.match(await handshake(tlsPort, ...ca, '-verify_return_error'), /Verification: OK/)
    relay.mend()
    await until(() => verifies(tlsPort, 'own.test'))
  })
})
