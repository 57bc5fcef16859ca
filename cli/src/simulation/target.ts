import { readFile } from 'node:fs/promises'
import { type components, type MillraceClient, unwrap } from '@millrace/client'
import { UsageError } from '../command.ts'
import type { Connection } from '../connection/connection.ts'
import type { Method } from './device.ts'

/** The device API that simulated devices call. */
export type Target = {
  readonly url: URL
  /** The connector's host, which the devices send as `Host` and as the server name in TLS. */
  readonly host: string
  /** The CA that the devices trust, in PEM; undefined: the CAs of Node. */
  readonly ca: string | undefined
}

export type TargetOptions = {
  readonly api: Pick<MillraceClient, 'GET'>
  readonly connection: Pick<Connection, 'url' | 'deviceTls'>
  readonly connector: Pick<components['schemas']['Connector'], 'fqdn' | 'id' | 'protocol'>
  readonly method: Method
  /** In place of the address that follows from the instance. */
  readonly deviceUrl: string | undefined
  /** A file with the CA, in PEM. */
  readonly caFile: string | undefined
}

/**
 * Finds the device API of a connector: that of the option; without encryption, for a connector in
 * developer mode, where the instance answers itself; else where the instance listens for devices.
 * @throws UsageError if the address is none that devices may call so, ApiError.
 */
export async function findTarget(options: TargetOptions): Promise<Target> {
  const { connector, caFile } = options
  const { url, ca } = await resolveAddress(options)
  return { url, host: connector.fqdn, ca: caFile === undefined ? ca : await readCa(caFile) }
}

async function resolveAddress(options: TargetOptions): Promise<Pick<Target, 'url' | 'ca'>> {
  const { connection, connector, method, deviceUrl } = options
  const mayBePlain = connector.protocol.devmode && method !== 'certificate'
  if (deviceUrl !== undefined) return { url: givenUrl(deviceUrl, mayBePlain), ca: undefined }
  if (mayBePlain && connection.url.startsWith('http:')) {
    return { url: new URL(connection.url), ca: undefined }
  }
  const { deviceTls } = connection
  if (deviceTls !== undefined) {
    const { ca } = await fetchListener(options)
    return { url: new URL(deviceTls.url), ca }
  }
  return fetchListener(options)
}

/** A host under `localhost` is on this machine for DNS, and where the API is for its instance. */
async function fetchListener({ api, connection, connector }: TargetOptions) {
  const path = '/api:1/service/{connector}/device2/addresses'
  const params = { path: { connector: connector.id } }
  const { https, ca } = await unwrap(api.GET(path, { params }))
  const url = new URL(https)
  if (/(^|\.)localhost$/.test(url.hostname)) url.hostname = new URL(connection.url).hostname
  return { url, ca: ca ?? undefined }
}

function givenUrl(text: string, mayBePlain: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--device-url is an address such as https://devices.example.com:8443')
  }
  if (mayBePlain || url.protocol === 'https:') return url
  throw new UsageError(
    '--device-url must begin with https: but for connectors in developer mode, by token or password',
  )
}

async function readCa(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--ca: ${(error as Error).message}`)
  }
}
