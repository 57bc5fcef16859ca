import { generateKeyPairSync } from 'node:crypto'
import { ApiError, type MillraceClient, unwrap } from '@millrace/client'
import { signingRequest } from './signing-request.ts'

/** A device's key, which nobody else has, and its certificate; both in PEM. */
export type ClientIdentity = { readonly key: string; readonly cert: string }

export type CertificatesOptions = {
  readonly api: Pick<MillraceClient, 'PUT'>
  readonly connector: string
  readonly signal: AbortSignal
}

const requestsAtOnce = 8

/**
 * Has the connector's vendor make a certificate for each identity, which whitelists it too.
 * @throws Error with what the management API refused.
 */
export async function fetchCertificates(
  options: CertificatesOptions,
  identities: readonly string[],
): Promise<ClientIdentity[]> {
  const fetched: ClientIdentity[] = []
  let next = 0
  const fetchNext = async () => {
    for (let at = next++; at < identities.length; at = next++) {
      fetched[at] = await fetchOne(options, identities[at] ?? '').catch((error) => {
        // The others end as well.
        next = identities.length
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, fetchNext))
  return fetched
}

async function fetchOne(
  { api, connector, signal }: CertificatesOptions,
  identity: string,
): Promise<ClientIdentity> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const path = '/api:1/service/{connector}/device2/identity/{identity}'
  const params = { path: { connector, identity } }
  const body = { auth: { type: 'csr' as const, key: signingRequest(identity, pair) } }
  try {
    const answer = await unwrap(api.PUT(path, { params, body, signal }))
    if (!('certificate' in answer)) throw new Error('the answer has no certificate')
    const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { key, cert: answer.certificate }
  } catch (error) {
    throw toRefusal(connector, identity, error)
  }
}

/** Says which device has no certificate; a credential that is refused concerns them all. */
function toRefusal(connector: string, identity: string, error: unknown): unknown {
  if (!(error instanceof ApiError) || [0, 401, 403].includes(error.status)) return error
  const { message, reason } = error
  const sentence = reason === undefined ? message : `${message}: ${reason}`
  return new Error(
    `no certificate for ${identity}: ${sentence}\n` +
      `Where no vendor signs for the connector: millrace ca create --connector ${connector}`,
  )
}
