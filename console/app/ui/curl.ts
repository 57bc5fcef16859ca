import type { Connector } from '../api/connectors.ts'

/** Where commands go, and who signs them; curl asks for the password. */
export type Shell = { readonly origin: string; readonly email: string }

const exampleDevice = 'my-device'
const json = "-H 'Content-Type: application/json'"

export function createConnector({ origin, email }: Shell): string {
  const body = {
    name: 'My devices',
    protocol: { name: 'http', devmode: true },
    provisioning: { generate_identity: true },
    resources: { temperature: { format: 'number', unit: 'DEG_CELSIUS' } },
  }
  return lines(`curl -u ${quoted(email)} ${origin}/api:1/connectors`, json, data(body))
}

/** Lets a device in, and activates it. */
export function activateDevice(shell: Shell, connector: Connector): string {
  const { url, options } = door(shell, connector)
  const activate = `TOKEN=$(curl -s ${options} ${url}/provision/activate -d id=${exampleDevice})`
  if (connector.provisioning.generate_identity) return activate
  const path = `/api:1/service/${connector.id}/device2/identity/${exampleDevice}`
  const login = `-u ${quoted(shell.email)}`
  const whitelist = lines(`curl ${login} -X PUT ${shell.origin}${path}`, json, data({}))
  return `${whitelist}\n${activate}`
}

/** A write of the connector's first resource, with the token of the activation. */
export function writeValue(shell: Shell, connector: Connector): string {
  const { url, options } = door(shell, connector)
  const [alias = 'temperature', resource] = Object.entries(connector.resources)[0] ?? []
  const value = resource?.format === 'boolean' ? 'true' : '21.5'
  const form = alias === 'data_in' ? `${alias}={"001":${value}}` : `${alias}=${value}`
  return lines(
    `curl -i ${options} ${url}/vendor:v1/stack/alias`,
    '-H "X-vendor-CIK: $TOKEN"',
    `-d ${quoted(form)}`,
  )
}

export function createAsset(shell: Shell, connectorId: string, identity: string): string {
  const query = 'mutation Make($input: CreateAssetInput!) { createAsset(input: $input) { id } }'
  const input = { name: 'My machine', device: { connectorId, identity }, signals: [newSignal()] }
  return graphql(shell, query, { input })
}

export function createSignal(shell: Shell, assetId: string): string {
  const query =
    'mutation Make($assetId: ID!, $input: NewSignalInput!) ' +
    '{ createSignal(assetId: $assetId, input: $input) { id } }'
  return graphql(shell, query, { assetId, input: newSignal() })
}

function newSignal() {
  const source = { alias: 'temperature' }
  return { name: 'Temperature', primitiveType: 'NUMERIC', dataUnit: 'DEG_CELSIUS', source }
}

function graphql({ origin, email }: Shell, query: string, variables: unknown): string {
  return lines(`curl -u ${quoted(email)} ${origin}/api/graphql`, json, data({ query, variables }))
}

/** In developer mode devices may speak plainly, at the console's own address. */
function door({ origin }: Shell, { fqdn, protocol }: Connector) {
  if (protocol.devmode) return { url: origin, options: `-H 'Host: ${fqdn}'` }
  return { url: `https://${fqdn}:8443`, options: '--cacert ca.pem' }
}

function data(body: unknown): string {
  return `-d ${quoted(JSON.stringify(body))}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function lines(...parts: readonly string[]): string {
  return parts.join(' \\\n  ')
}
