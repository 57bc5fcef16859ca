import { execFile } from 'node:child_process'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Connector } from '../../src/provisioning/index.ts'
import { openCa, type SignOptions, type TestCa } from './ca.ts'
import { type Openssl, openOpenssl, type RequestOptions } from './openssl.ts'
import { exampleConnector, type TestPlatform, testPlatform } from './platform.ts'
import { type SClientAnswer, sClient } from './s-client.ts'

const run = promisify(execFile)

/** A device with a key and a certificate in files. */
export type CertificateDevice = {
  readonly identity: string
  readonly keyFile: string
  /** The device's certificate followed by the client CA's. */
  readonly chainFile: string
  readonly certificateFile: string
  readonly pem: string
}

export type CertificateWorld = {
  readonly millrace: TestPlatform
  readonly openssl: Openssl
  readonly ca: TestCa
  readonly connector: Connector
  readonly host: string
  readonly port: string
  /** A device whose certificate is signed by `by`, the connector's client CA if left out. */
  device(identity: string, options?: DeviceOptions): Promise<CertificateDevice>
  /** A data write by curl. `--cert` and `--key` are the device's; undefined: none. */
  write(device: CertificateDevice | undefined, options?: CurlOptions): Promise<CurlAnswer>
  /** A data write by openssl. */
  writeByOpenssl(args: readonly string[], at?: string): Promise<SClientAnswer>
  lines(identity: string): Promise<string[]>
}

export type DeviceOptions = SignOptions & {
  readonly by?: TestCa
  readonly kind?: RequestOptions['kind']
}
export type CurlOptions = {
  readonly args?: readonly string[]
  readonly host?: string
  readonly body?: string
  /** Method and path of something else than a write. */
  readonly path?: string
}
export type CurlAnswer = { readonly status: number; readonly body: string }

export const dataPath = '/vendor:v1/stack/alias'

/** An instance with a connector of the certificate method, and its client CA. */
export async function certificateWorld(
  t: Pick<TestContext, 'after'>,
  part: Readonly<Record<string, unknown>> = {},
): Promise<CertificateWorld> {
  const openssl = await openOpenssl(t)
  const ca = await openCa(openssl)
  const settings = {
    ...exampleConnector,
    ...{ id: 'cert', authType: 'certificate', devmode: false, selfRegistration: false },
    pki: { enabled: true, caPem: ca.pem },
    ...part,
  }
  const millrace = await testPlatform(t, { connector: settings })
  const { connector } = millrace
  const host = `${connector.id}.localhost`
  const port = new URL(millrace.tlsUrl).port
  return {
    ...{ millrace, openssl, ca, connector, host, port },
    device: (identity, options = {}) => makeDevice(openssl, options.by ?? ca, identity, options),
    write: (device, options = {}) => byCurl({ millrace, host, port }, device, options),
    writeByOpenssl: (args, at = host) =>
      sClient(port, args, { path: dataPath, host: at, body: 'a=1' }),
    async lines(identity) {
      const rows = await millrace.platform.database.rows<{ kind: string }>(
        'select kind from eventlog_entry where identity = $1 order by part, seq',
        [identity],
      )
      return rows.map(({ kind }) => kind)
    },
  }
}

let count = 0

async function makeDevice(
  openssl: Openssl,
  by: TestCa,
  identity: string,
  { kind, ...options }: DeviceOptions,
): Promise<CertificateDevice> {
  count += 1
  const subject = `/CN=${identity}`
  const { csr, key } = await openssl.request({ subject, ...(kind && { kind }) })
  const pem = await by.sign(csr, options)
  return {
    identity,
    pem,
    keyFile: await openssl.write(`device-${count}.key`, key),
    certificateFile: await openssl.write(`device-${count}.pem`, pem),
    chainFile: await openssl.write(`device-${count}-chain.pem`, `${pem}${by.pem}`),
  }
}

async function byCurl(
  { millrace, host, port }: { millrace: TestPlatform; host: string; port: string },
  device: CertificateDevice | undefined,
  options: CurlOptions,
): Promise<CurlAnswer> {
  const name = options.host ?? host
  const target = ['--resolve', `${name}:${port}:127.0.0.1`, '--max-time', '20']
  const mine = device ? ['--cert', device.chainFile, '--key', device.keyFile] : []
  const data = options.path === undefined ? ['--data', options.body ?? 'a=1'] : []
  const { stdout } = await run('curl', [
    ...['-sS', '--cacert', millrace.caFile, ...target, ...mine, ...data],
    ...['-w', '\n%{http_code}', ...(options.args ?? [])],
    `https://${name}:${port}${options.path ?? dataPath}`,
  ])
  const at = stdout.lastIndexOf('\n')
  if (at < 0) return { status: 0, body: stdout }
  return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) }
}
