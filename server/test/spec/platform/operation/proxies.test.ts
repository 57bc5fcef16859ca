import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openServerCa } from '../../../fixtures/peers/server-certificates.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { freePort, isInstalled, startProgram } from '../../../fixtures/processes/programs.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { openCa, type TestCa } from '../../../fixtures/wire/ca.ts'
import { type Openssl, openOpenssl } from '../../../fixtures/wire/openssl.ts'

const run = promisify(execFile)
const files = join(import.meta.dirname, '../../../../../docs/operating/proxies')
const deviceAddress = '127.0.0.5'

type Proxy = {
  readonly program: string
  readonly package: string
  readonly file: string
  readonly certificateHeader: 'client-cert' | 'x-client-cert'
  /** Its command line, and where it looks for what the file names. */
  command(file: string, dir: string): readonly string[]
}

const proxies: readonly Proxy[] = [
  {
    program: 'haproxy',
    package: 'haproxy',
    file: 'haproxy.cfg',
    certificateHeader: 'x-client-cert',
    command: (file) => ['haproxy', '-db', '-f', file],
  },
  {
    program: 'nginx',
    package: 'nginx',
    file: 'nginx.conf',
    certificateHeader: 'x-client-cert',
    command: (file, dir) => {
      const here = `daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log;`
      return ['nginx', '-c', file, '-p', dir, '-e', `${dir}/error.log`, '-g', here]
    },
  },
  {
    program: 'caddy',
    package: 'caddy',
    file: 'Caddyfile',
    certificateHeader: 'client-cert',
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
]

for (const proxy of proxies) {
  const skip = isInstalled(proxy.program)
    ? false
    : `${proxy.program} is not installed (Debian: ${proxy.package})`
  describe(`behind ${proxy.program} with the file of the page`, { skip }, () => {
    const suite = suiteContext()
    let openssl: Openssl
    let millrace: OwnPlatform
    let clients: TestCa
    let serverCa: string
    let port: number
    let mqttPort: number
    before(async () => {
      openssl = await openOpenssl(suite)
      const { ca, issue } = await openServerCa(openssl)
      serverCa = ca.certificateFile
      clients = await openCa(openssl, 'Devices')
      const trusted = ['127.0.0.1', '::1/128']
      const { certificateHeader } = proxy
      const protocolOn = ['mqtt_tls'] as const
      const parts = { trusted, protocolOn, headers: 'x-forwarded', certificateHeader } as const
      millrace = await testPlatform(suite, {
        own: 'trusts proxies',
        config: { proxies: parts, domain: 'example.test' },
      })
      ;[port, mqttPort] = [await freePort(), await freePort()]
      const pair = await issue({ names: ['*.example.test'] })
      await mkdir(openssl.path('certificates'))
      await openssl.write('certificates/both.pem', `${pair.cert}${pair.key}`)
      await openssl.write('millrace.crt', pair.cert)
      await openssl.write('millrace.key', pair.key)
      await openssl.write('client-cas.pem', clients.pem)
      const text = (await readFile(join(files, proxy.file), 'utf8'))
        .replaceAll(/\/etc\/(?:haproxy|nginx|caddy)/g, openssl.dir)
        .replaceAll(/(\s|0\.0\.0\.0:|https:\/\/:)443\b/g, `$1${port}`)
        .replaceAll('0.0.0.0:8883', `127.0.0.1:${mqttPort}`)
        .replaceAll('127.0.0.1:8080', new URL(millrace.httpUrl).host)
        .replaceAll('127.0.0.1:18883', new URL(millrace.mqttTlsUrl ?? '').host)
      const file = openssl.path(proxy.file)
      await writeFile(file, text)
      const ports = proxy.program === 'haproxy' ? [port, mqttPort] : [port]
      const env = { HOME: openssl.dir, XDG_DATA_HOME: openssl.dir }
      await startProgram(suite, proxy.command(file, openssl.dir), { ports, env })
    })

    const curl = async (host: string, path: string, ...args: string[]) => {
      const target = ['--resolve', `${host}:${port}:127.0.0.1`, '--max-time', '20']
      const from = ['-sS', '--cacert', serverCa, '--interface', deviceAddress, ...target]
      return (await run('curl', [...from, ...args, `https://${host}:${port}${path}`])).stdout
    }
    const strictConnector = async (auth?: 'certificate') =>
      millrace.platform.provisioning.connectors.create(millrace.businessId, {
        name: 'strict',
        selfRegistration: true,
        resources: { a: { format: 'string' } },
        ...(auth === undefined
          ? {}
          : { authType: auth, pki: { enabled: true, caPem: clients.pem } }),
      })

    it('sees the address of the device, whatever the device writes itself', async () => {
      const host = `${millrace.connector.id}.example.test`
      assert.equal(await curl(host, '/ip'), deviceAddress)
      const forged = ['-H', 'X-Forwarded-For: 203.0.113.9', '-H', 'Forwarded: for=203.0.113.9']
      assert.equal(await curl(host, '/ip', ...forged), deviceAddress)
    })

    it('takes TLS that ended at the proxy for encryption, and logs the address', async () => {
      const { id } = await strictConnector()
      const host = `${id}.example.test`
      const token = await curl(host, '/provision/activate', '-d', 'id=behind')
      const credential = ['-H', `X-vendor-CIK: ${token}`, '-d', 'a=1', '-w', '%{http_code}']
      assert.equal(await curl(host, '/vendor:v1/stack/alias', ...credential), '204')
      const lines = await run('curl', [
        ...['-sS', '-H', `Authorization: Automation ${millrace.token}`],
        `${millrace.httpUrl}/api:1/service/${id}/device2/logs`,
      ])
      assert.match(lines.stdout, new RegExp(`"${deviceAddress}"`))
      assert.match(lines.stdout, /"https"/)
    })

    it('takes the certificate that the proxy verified, and no header of a device', async () => {
      const { id } = await strictConnector('certificate')
      const host = `${id}.example.test`
      const { csr, key } = await openssl.request({ subject: '/CN=device-1' })
      const cert = await clients.sign(csr)
      const own = await openssl.write(`${proxy.program}-device.pem`, `${cert}${key}`)
      const write = ['-d', 'a=1', '-w', '%{http_code}', '-o', '/dev/null']
      const path = '/vendor:v1/stack/alias'
      assert.equal(await curl(host, path, '--cert', own, ...write), '204')
      const der = cert.replaceAll(/-----[^-]+-----|\s/g, '')
      const forged = ['-H', `X-Client-Cert: ${der}`, '-H', `Client-Cert: :${der}:`]
      assert.equal(await curl(host, path, ...forged, ...write), '401')
    })

    it('sees the address of an MQTT device through the PROXY protocol', async (t) => {
      if (proxy.program !== 'haproxy') return t.skip('its file forwards no MQTT')
      if (!isInstalled('mosquitto_pub')) return t.skip('mosquitto_pub is not installed')
      const host = `${millrace.connector.id}.example.test`
      const token = await curl(host, '/provision/activate', '-d', 'id=mqtt')
      const at = ['-h', '127.0.0.1', '-p', String(mqttPort), '-q', '1', '-V', 'mqttv311']
      const from = ['-A', deviceAddress, '--cafile', millrace.caFile, '--insecure']
      await run('mosquitto_pub', [
        ...at,
        ...from,
        '-u',
        '',
        '-P',
        token,
        '-t',
        '$resource/a',
        '-m',
        '5',
      ])
      const { stdout } = await run('curl', [
        ...['-sS', '-H', `Authorization: Automation ${millrace.token}`],
        `${millrace.httpUrl}/api:1/service/${millrace.connector.id}/device2/logs`,
      ])
      assert.match(stdout, /"mqtts"/)
      assert.doesNotMatch(stdout, /"127\.0\.0\.1"/)
    })
  })
}
