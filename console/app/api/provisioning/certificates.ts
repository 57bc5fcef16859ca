import { type components, fillPath, upload } from '@millrace/client'
import type { Client } from '../client.ts'
import { find, get, post, remove } from '../endpoint.ts'

export type RevocationList = components['schemas']['RevocationList']

const service = '/api:1/service/{connector}/device2'
const paths = {
  authority: `${service}/ca`,
  list: `${service}/crl`,
  windows: `${service}/windows`,
  certificates: `${service}/certificates`,
} as const

/** The built-in authority of a connector. @throws ApiError `not_found` if there is none. */
export const readAuthority = get(paths.authority)

/** Creates the built-in authority; `use`: the connector signs with it from now on. */
export const createAuthority = post(paths.authority)

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

/** The certificates of devices, the next to end first. */
export const listDeviceCertificates = find(paths.certificates)

/** The open windows of activation that have a deadline, the next to close first. */
export const listWindows = find(paths.windows)

/** Makes the window of one identity longer. */
export const extendWindow = post(paths.windows)
