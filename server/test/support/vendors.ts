import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { TestCa } from './ca.ts'
import { atEnd } from './ends.ts'
import type { Openssl } from './openssl.ts'
import { openWeb, type Web, type WebAnswer, type WebRequest } from './web.ts'

/*
 * Certificate vendors for tests: the real cfssl where it is installed, and fakes that pass the
 * same tests as it; an EST server that curl and openssl agree with; DigiCert as it is documented.
 */

type Context = Pick<TestContext, 'after'>

const run = promisify(execFile)

/** Whether the command `cfssl` (Debian: golang-cfssl) is here. */
export async function hasCfssl(): Promise<boolean> {
  return run('cfssl', ['version']).then(
    () => true,
    () => false,
  )
}

/** A profile that needs the key, one that does not, and how long each signs for. */
export const cfsslProfiles = {
  key: 'c0ffee00c0ffee00c0ffee00c0ffee00',
  closed: { name: 'device', days: 30 },
  open: { name: 'open', days: 10 },
} as const

const usages = ['digital signature', 'client auth']

function cfsslConfig(): string {
  const { key, closed, open } = cfsslProfiles
  const profile = (days: number) => ({ usages, expiry: `${days * 24}h` })
  return JSON.stringify({
    auth_keys: { device: { type: 'standard', key } },
    signing: {
      default: profile(open.days),
      profiles: {
        [closed.name]: { ...profile(closed.days), auth_key: 'device' },
        [open.name]: profile(open.days),
      },
    },
  })
}

/** `cfssl serve` itself. @returns its URL */
export async function realCfssl(t: Context, openssl: Openssl, ca: TestCa): Promise<string> {
  const config = await openssl.write('cfssl.json', cfsslConfig())
  const port = await freePort()
  const files = ['-ca', ca.certificateFile, '-ca-key', ca.keyFile, '-config', config]
  const place = ['-address', '127.0.0.1', '-port', String(port)]
  const child = spawn('cfssl', ['serve', ...place, ...files], { stdio: 'ignore' })
  atEnd(t, () => end(child))
  const url = `http://127.0.0.1:${port}`
  await answers(`${url}/api/v1/cfssl/info`, child)
  return url
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries += 1) {
    const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`cfssl does not answer (exit code ${child.exitCode})`)
}

/** The part of cfssl's API that the platform uses. @returns its URL */
export async function fakeCfssl(t: Context, ca: TestCa): Promise<string> {
  const { key, closed, open } = cfsslProfiles
  const says = (status: number, body: object): WebAnswer => ({ status, body: JSON.stringify(body) })
  const fails = (status: number, message: string) =>
    says(status, { success: false, result: null, errors: [{ code: 1, message }], messages: [] })
  const sign = async (csr: string, days: number) => {
    const certificate = await ca.sign(csr, { days })
    return says(200, { success: true, result: { certificate }, errors: [], messages: [] })
  }
  const { url } = await openWeb(t, async (request) => {
    const body = JSON.parse(request.body.toString())
    if (request.url === '/api/v1/cfssl/sign') {
      if (body.profile === closed.name) return fails(403, 'authentication is required')
      return sign(body.certificate_request, open.days)
    }
    if (request.url !== '/api/v1/cfssl/authsign') return { status: 404 }
    const text = Buffer.from(body.request, 'base64')
    const token = createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64')
    if (token !== body.token) return fails(400, 'Authentication failed')
    const wanted = JSON.parse(text.toString())
    if (wanted.profile !== closed.name) return fails(400, 'no such profile')
    return sign(wanted.certificate_request, closed.days)
  })
  return url
}

export type EstOptions = {
  /** What `Authorization` must be; undefined lets everyone in. */
  readonly authorization?: string
  readonly label?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A small EST server (RFC 7030): `cacerts` and `simpleenroll`. */
export function estServer(
  t: Context,
  openssl: Openssl,
  ca: TestCa,
  { authorization, label, tls }: EstOptions = {},
): Promise<Web> {
  const base = `/.well-known/est${label === undefined ? '' : `/${label}`}`
  let count = 0
  const pkcs7 = async (pem: string): Promise<WebAnswer> => {
    count += 1
    const file = await openssl.write(`est-${count}.pem`, pem)
    const out = openssl.path(`est-${count}.p7`)
    await openssl.say('crl2pkcs7', '-nocrl', '-certfile', file, '-out', out)
    const body = (await openssl.read(`est-${count}.p7`)).replace(/-----[^\n]*\n/g, '')
    const type = 'application/pkcs7-mime; smime-type=certs-only'
    const headers = { 'content-type': type, 'content-transfer-encoding': 'base64' }
    return { status: 200, headers, body }
  }
  const enroll = async (request: WebRequest): Promise<WebAnswer> => {
    if (request.headers['content-type'] !== 'application/pkcs10') return { status: 415 }
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="est"' } }
    }
    const lines = request.body.toString().trim()
    const csr = `-----BEGIN CERTIFICATE REQUEST-----\n${lines}\n-----END CERTIFICATE REQUEST-----\n`
    return pkcs7(await ca.sign(csr))
  }
  return openWeb(
    t,
    async (request) => {
      if (request.url === `${base}/cacerts` && request.method === 'GET') return pkcs7(ca.pem)
      if (request.url === `${base}/simpleenroll` && request.method === 'POST') {
        return enroll(request)
      }
      return { status: 404 }
    },
    tls,
  )
}

export const digicertKey = 'A1B2C3D4E5-digicert-developer-key'

/** What DigiCert does with an order, besides signing at once. */
export type DigicertMood = 'chain' | 'download' | 'pending'

/** CertCentral's orders, as their documentation has them. */
export function fakeDigicert(t: Context, ca: TestCa, mood: DigicertMood = 'chain'): Promise<Web> {
  const made = new Map<string, string>()
  const says = (status: number, body: object): WebAnswer => ({ status, body: JSON.stringify(body) })
  const fails = (status: number, code: string, message: string) =>
    says(status, { errors: [{ code, message }] })
  return openWeb(t, async (request) => {
    if (request.headers['x-dc-devkey'] !== digicertKey) {
      return fails(401, 'access_denied|invalid_api_key', 'The API key is not valid.')
    }
    const download = /^\/services\/v2\/certificate\/(\d+)\/download\/format\/pem_noroot$/
    const [, fetched] = download.exec(request.url ?? '') ?? []
    if (fetched !== undefined) return { status: 200, body: made.get(fetched) ?? '' }
    if (request.url !== '/services/v2/order/certificate/private_ssl_plus') {
      return fails(404, 'not_found', 'There is no such product.')
    }
    const { certificate, order_validity: validity } = JSON.parse(request.body.toString())
    const requests = [{ id: 1, status: mood === 'pending' ? 'pending' : 'approved' }]
    if (mood === 'pending') return says(201, { id: 5001, requests })
    const end = Date.parse(validity.custom_expiration_date)
    const days = Math.round((end - Date.now()) / 86_400_000)
    const pem = await ca.sign(certificate.csr, { days })
    const order = { id: 5001, requests, certificate_id: 7001 }
    made.set('7001', `${pem}${ca.pem}`)
    if (mood === 'download') return says(201, order)
    const chain = [pem, ca.pem].map((one) => ({ subject_common_name: '', pem: one }))
    return says(201, { ...order, certificate_chain: chain })
  })
}
