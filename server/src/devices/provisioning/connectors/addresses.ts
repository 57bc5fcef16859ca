import { readFile } from 'node:fs/promises'
import { component, Nullable, type StaticResult, Type } from '../../../foundation/kernel/index.ts'
import { formatFqdn } from './connector.ts'

const address = (description: string) => Type.String({ description })

/** The addresses that the devices of a connector call. */
export const deviceAddressesSchema = component('DeviceAddresses', {
  https: address('The device API over TLS.'),
  http: address('The device API without encryption, for connectors in developer mode.'),
  mqtts: address('MQTT over TLS.'),
  mqtt: Nullable(Type.String(), {
    description: 'MQTT without encryption, for connectors in developer mode.',
  }),
  ca: Nullable(Type.String(), {
    description:
      'The authority that devices trust with `https` and `mqtts`, in PEM; null if the ' +
      "operator's own certificate has the connector's host.",
  }),
})

/** The open listeners of devices, and the file of the authority that devices trust. */
export type DeviceListeners = {
  /** Each with its scheme, its address and its port. */
  readonly httpUrl: string
  readonly tlsUrl: string
  /** Undefined: MQTT over TLS is on the port of `tlsUrl` alone. */
  readonly mqttTlsUrl: string | undefined
  readonly mqttUrl: string | undefined
  readonly caFile: string
  /** Returns true if the operator has a certificate for a host in place of that authority's. */
  isCovered(host: string): boolean
}

export async function readDeviceAddresses(
  listeners: DeviceListeners,
  connectorId: string,
  domain: string,
): Promise<StaticResult<typeof deviceAddressesSchema>> {
  const { httpUrl, tlsUrl, mqttTlsUrl, mqttUrl, caFile } = listeners
  const host = formatFqdn(connectorId, domain)
  const at = (scheme: string, url: string) => `${scheme}://${host}:${readPort(url)}`
  return {
    https: at('https', tlsUrl),
    http: at('http', httpUrl),
    mqtts: at('mqtts', mqttTlsUrl ?? tlsUrl),
    mqtt: mqttUrl === undefined ? null : at('mqtt', mqttUrl),
    ca: listeners.isCovered(host) ? null : await readFile(caFile, 'utf8'),
  }
}

/** Listeners name their port also if it is that of their scheme. */
function readPort(url: string): string {
  return url.slice(url.lastIndexOf(':') + 1)
}
