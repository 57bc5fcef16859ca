import { type components, fillPath, unwrap, upload } from '@millrace/client'
import type { Client } from '../client.ts'
import { get, post, remove } from '../endpoint.ts'

export type Authority = components['schemas']['Authority']
export type RevocationList = components['schemas']['RevocationList']
export type Window = components['schemas']['Window']

const service = '/api:1/service/{connector}/device2'
const paths = {
  authority: `${service}/ca`,
  list: `${service}/crl`,
  windows: `${service}/windows`,
  certificates: `${service}/certificates`,
} as const

const of = (connector: string) => ({ path: { connector } })

/** The built-in authority of a connector. @throws ApiError `not_found` if there is none. */
export const readAuthority = get(paths.authority)

/** Creates the built-in authority, with which the connector signs from now on. */
export async function createAuthority(client: Client, connector: string): Promise<void> {
  await unwrap(client.POST(paths.authority, { params: of(connector), body: { use: true } }))
}

/** The revocation list of the client CA. @throws ApiError `not_found` if there is none. */
export const readRevocationList = get(paths.list)

/** Replaces the list by a file, PEM or DER. @throws ApiError `crl_refused` and others. */
export async function putRevocationList(
  client: Client,
  connector: string,
  file: File,
): Promise<void> {
  const isPem = (await file.slice(0, pemHead.length).text()) === pemHead
  const contentType = isPem ? 'application/x-pem-file' : 'application/pkix-crl'
  await upload(client, fillPath(paths.list, { path: { connector } }), file, { contentType })
}

const pemHead = '-----BEGIN'

export const removeRevocationList = remove(paths.list)

type CertificatePage = {
  readonly certificates: readonly components['schemas']['DeviceCertificate'][]
  readonly mayLoadMore: boolean
}

/** The certificates of devices, the next to end first. */
export function listDeviceCertificates(
  client: Client,
  connector: string,
  limit: number,
  signal: AbortSignal | null = null,
): Promise<CertificatePage> {
  const params = { ...of(connector), query: { limit } }
  return unwrap(client.GET(paths.certificates, { params, signal }))
}

type WindowPage = { readonly windows: readonly Window[]; readonly mayLoadMore: boolean }

/** The open windows of activation that have a deadline, the next to close first. */
export function listWindows(
  client: Client,
  connector: string,
  limit: number,
  signal: AbortSignal | null = null,
): Promise<WindowPage> {
  const params = { ...of(connector), query: { limit } }
  return unwrap(client.GET(paths.windows, { params, signal }))
}

/** Makes the window of one identity longer. */
export const extendWindow = post(paths.windows)
