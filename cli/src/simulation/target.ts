import { readFile } from 'node:fs/promises'
import type { components } from '@millrace/client'
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
  readonly connection: Pick<Connection, 'url' | 'deviceTls'>
  readonly connector: Pick<components['schemas']['Connector'], 'fqdn' | 'id' | 'protocol'>
  readonly method: Method
  /** In place of the address that follows from the instance. */
  readonly deviceUrl: string | undefined
  /** A file with the CA, in PEM. */
  readonly caFile: string | undefined
}

/** The port of encrypted devices unless the instance is configured otherwise. */
const tlsPort = 8443

/**
 * Finds the device API of a connector: that of the option; without encryption, for a connector in
 * developer mode, where the instance answers itself; else behind the connector's host.
 * @throws UsageError if the address is none that devices may call so.
 */
export async function findTarget(options: TargetOptions): Promise<Target> {
  const { connector, caFile } = options
  const { url, caFile: localCa } = addressOf(options)
  const trusted = caFile ?? localCa
  const ca = trusted === undefined ? undefined : await readCa(trusted)
  return { url, host: connector.fqdn, ca }
}

function addressOf(options: TargetOptions): { readonly url: URL; readonly caFile?: string } {
  const { connection, connector, method, deviceUrl } = options
  const mayBePlain = connector.protocol.devmode && method !== 'certificate'
  if (deviceUrl !== undefined) return { url: givenUrl(deviceUrl, mayBePlain) }
  if (mayBePlain && connection.url.startsWith('http:')) return { url: new URL(connection.url) }
  const { deviceTls } = connection
  if (deviceTls !== undefined) return { url: new URL(deviceTls.url), caFile: deviceTls.caFile }
  return { url: new URL(`https://${connector.fqdn}:${tlsPort}`) }
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
