import { generateKeyPairSync } from 'node:crypto'
import { signingRequest } from './signing-request.ts'
import type { Target } from './target.ts'

/** A device's key, which nobody else has, and its certificate; both in PEM. */
export type ClientIdentity = { readonly key: string; readonly cert: string }

const askedAtOnce = 8

/**
 * Has the connector's vendor make a certificate for each identity, which whitelists it too.
 * @throws Error with what the management API refused.
 */
export async function fetchCertificates(
  { api, host }: Target,
  identities: readonly string[],
): Promise<ClientIdentity[]> {
  if (api === undefined) throw new Error('--api and --token are missing: they sign certificates')
  const connector = host.split('.', 1)[0] ?? ''
  const base = `${api.url.href.replace(/\/$/, '')}/service/${connector}/device2/identity`
  const fetched: ClientIdentity[] = []
  let next = 0
  const fetchNext = async () => {
    for (let at = next++; at < identities.length; at = next++) {
      const identity = identities[at] ?? ''
      fetched[at] = await fetchOne(`${base}/${encodeURIComponent(identity)}`, api.token, identity)
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, fetchNext))
  return fetched
}

async function fetchOne(url: string, token: string, identity: string): Promise<ClientIdentity> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const response = await fetch(url, {
    method: 'PUT',
    redirect: 'error',
    headers: { Authorization: `Automation ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ auth: { type: 'csr', key: signingRequest(identity, pair) } }),
  })
  const text = await response.text()
  if (!response.ok) {
    throw new Error(
      `no certificate for ${identity}: ${response.status} ${text}\n` +
        'Where no vendor signs for the connector: millrace ca create --connector <id>',
    )
  }
  const { certificate } = JSON.parse(text) as { certificate: string }
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { key, cert: certificate }
}
