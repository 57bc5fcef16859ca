import { type RawAnswer, rawClient } from './raw.ts'

/** A device at the plain door, with the calls that firmware makes. */
export type TestDevice = {
  readonly identity: string
  readonly token: string
  write(body: string, query?: string): Promise<RawAnswer>
  read(query: string, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>
  record(body: string): Promise<RawAnswer>
}

/** One request on a socket of its own. */
export async function send(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<RawAnswer> {
  const client = rawClient(url)
  const lines = Object.entries({ Host: 'device.example', ...headers })
  if (body !== '') lines.push(['Content-Length', String(Buffer.byteLength(body))])
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  try {
    return await client.ask(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`)
  } finally {
    client.close()
  }
}

/** Activates an identity. */
export function activate(url: string, host: string, identity: string): Promise<RawAnswer> {
  const body = `id=${encodeURIComponent(identity)}`
  return send(url, 'POST', '/provision/activate', { Host: host, ...formType }, body)
}

const formType = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }

/** A device that is provisioned. */
export async function newDevice(
  url: string,
  connectorId: string,
  identity: string,
): Promise<TestDevice> {
  const activated = await activate(url, `${connectorId}.localhost`, identity)
  if (activated.status !== 200) throw new Error(activated.text)
  const token = activated.body
  const credential = { 'X-vendor-CIK': token }
  const path = '/vendor:v1/stack/alias'
  return {
    identity,
    token,
    write: (body, query = '') =>
      send(url, 'POST', `${path}${query}`, { ...credential, ...formType }, body),
    read: (query, headers = {}) =>
      send(url, 'GET', `${path}?${query}`, { ...credential, ...headers }),
    record: (body) =>
      send(url, 'POST', '/vendor:v1/stack/record', { ...credential, ...formType }, body),
  }
}
