import { type components, fillPath } from '@millrace/client'
import type { Connector, Resource, SettingsPart } from '../api/connectors.ts'
import type { IdentityPart } from '../api/devices.ts'
import type { EndpointRequest } from '../api/endpoints.ts'
import type { Document } from '../api/graphql.ts'
import { createAssetDocument } from '../generated/assets.ts'
import { createSignalDocument, type NewSignalInput } from '../generated/signals.ts'

/** The server and the user of commands; curl prompts for the password. */
export type Shell = { readonly origin: string; readonly email: string }

const exampleChannel = '001'
/** The resource that holds a JSON object of channels. */
const channels = 'data_in'
const json = "-H 'Content-Type: application/json'"

export function createConnector({ origin, email }: Shell): string {
  const body: components['schemas']['NewConnector'] = {
    name: 'My devices',
    protocol: { name: 'http', devmode: true },
    provisioning: { generate_identity: true },
    resources: { temperature: { format: 'number', unit: 'DEG_CELSIUS' } },
  }
  const url = `${origin}${fillPath('/api:1/connectors', {})}`
  return lines(`curl -u ${quoted(email)} ${url}`, json, data(body))
}

/** Changes the operator's part of an identity. */
export function putIdentity(
  shell: Shell,
  { id: connector }: Connector,
  identity: string,
  body: IdentityPart,
): string {
  const path = '/api:1/service/{connector}/device2/identity/{identity}'
  return manage(shell, 'PUT', fillPath(path, { path: { connector, identity } }), body)
}

/** Changes a part of a connector's settings. */
export function patchConnector(
  shell: Shell,
  { id: connector }: Connector,
  part: SettingsPart,
): string {
  const path = fillPath('/api:1/service/{connector}/device2', { path: { connector } })
  return manage(shell, 'PATCH', path, part)
}

/** Shows what an API token permits, with the token. */
export function callAsToken(origin: string, token: string): string {
  return lines(
    `curl ${quoted(origin + fillPath('/api:1/whoami', {}))}`,
    `-H ${quoted(`Authorization: Automation ${token}`)}`,
  )
}

/** A request to an endpoint of a solution. */
export function requestCommand(
  origin: string,
  { method, path, headers, body }: EndpointRequest,
): string {
  return lines(
    `curl -i -X ${method} ${quoted(origin + path)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  )
}

/** A websocket of a solution in a terminal. */
export function socketCommand(url: string): string {
  return `websocat ${quoted(url)}`
}

function manage({ origin, email }: Shell, method: string, at: string, body: unknown): string {
  return lines(`curl -u ${quoted(email)} -X ${method} ${quoted(origin + at)}`, json, data(body))
}

/** An asset of a device with a signal; without one where no device is known. */
export function createAsset(shell: Shell, connector?: Connector, identity?: string): string {
  const isFed = connector !== undefined && identity !== undefined
  const fed = isFed && {
    device: { connectorId: connector.id, identity },
    signals: [newSignal(connector)],
  }
  return graphql(shell, createAssetDocument, { input: { name: 'My machine', ...fed } })
}

export function createSignal(shell: Shell, assetId: string, connector?: Connector): string {
  return graphql(shell, createSignalDocument, { assetId, input: newSignal(connector) })
}

const primitiveTypes = { number: 'NUMERIC', string: 'STRING', boolean: 'BOOLEAN' } as const

function newSignal(connector?: Connector): NewSignalInput {
  const [alias, resource] = exampleResource(connector)
  if (alias === channels) {
    const source = { alias, channel: exampleChannel }
    return { name: `Channel ${exampleChannel}`, primitiveType: primitiveTypes.number, source }
  }
  return { name: alias, primitiveType: primitiveTypes[resource.format], source: { alias } }
}

/** Returns the resource of a connector with which examples are shown. */
function exampleResource(connector?: Connector): readonly [string, Resource] {
  const resources = Object.entries(connector?.resources ?? {})
  const found = resources.find(([alias]) => alias === channels) ?? resources[0]
  return found ?? ['temperature', { format: 'number', allowed: [], settable: false }]
}

/** The document on one line: it has no texts that spaces would be a part of. */
function graphql<Variables>(
  { origin, email }: Shell,
  { text }: Document<Variables, unknown>,
  variables: Variables,
): string {
  const query = text.replaceAll(/\s+/g, ' ')
  return lines(`curl -u ${quoted(email)} ${origin}/api/graphql`, json, data({ query, variables }))
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
