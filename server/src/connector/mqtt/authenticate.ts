import { Fault } from '../../kernel/index.ts'
import type { Connector, Device, Provisioning } from '../../provisioning/index.ts'

/** How a connection came in, whoever speaks on it. */
export type Link = {
  readonly ip: string
  readonly encrypted: boolean
  /** As the log shows it. */
  readonly protocol: 'mqtt' | 'mqtts'
  /** The first label of the TLS server name, often a connector's id; empty where there is none. */
  readonly hostLabel: string
}

/** What a CONNECT brings. */
export type Credentials = {
  readonly userName: string
  readonly password: string
}

/** Whom a connection belongs to: a device, or somebody who may only activate. */
export type Speaker = DeviceSpeaker | Stranger

export type DeviceSpeaker = {
  readonly kind: 'device'
  /** As it was when it connected; its connector's settings may have changed since. */
  readonly device: Device
  /** Proves it again, from memory: it may have been locked meanwhile. With an ip it is seen. */
  readonly prove: Prove
}

export type Stranger = { readonly kind: 'stranger'; readonly connector: Connector }

export type Prove = (connection: {
  readonly encrypted: boolean
  readonly ip?: string
}) => Device | Promise<Device>

/**
 * Who connects. An empty user name with a password is a token, both together are an identity with
 * its password; without a password it is a stranger.
 * @throws Fault `unknown_credential`, `locked`, `plain_connection`, `overloaded`; for a stranger
 *   `unknown_identity`, `wrong_host`.
 */
export async function authenticateMqtt(
  provisioning: Provisioning,
  link: Link,
  { userName, password }: Credentials,
): Promise<Speaker> {
  if (password === '') return stranger(provisioning, link, userName)
  const prove: Prove =
    userName === ''
      ? (connection) => provisioning.authenticateToken(password, connection)
      : proveByPassword(provisioning, await splitName(provisioning, link, userName), password)
  return { kind: 'device', prove, device: await prove(link) }
}

type Name = { readonly connectorId: string; readonly identity: string }

function proveByPassword(
  provisioning: Provisioning,
  { connectorId, identity }: Name,
  password: string,
): Prove {
  return (connection) =>
    provisioning.authenticatePassword(connectorId, identity, password, connection)
}

/**
 * Where the server name is a connector the user name is the identity, whole. Elsewhere (plain
 * MQTT, a client that calls an address) it is `<connector>/<identity>`; an id holds no slash.
 */
async function splitName(
  { connectors }: Provisioning,
  { hostLabel }: Link,
  userName: string,
): Promise<Name> {
  const named = hostLabel !== '' && (await connectors.find(hostLabel)) !== undefined
  if (named) return { connectorId: hostLabel, identity: userName }
  const slash = userName.indexOf('/')
  if (slash < 0) {
    throw new Fault('unknown_credential', 'Neither server name nor user name names a connector.')
  }
  return { connectorId: userName.slice(0, slash), identity: userName.slice(slash + 1) }
}

/** By the server name, or by the user name where a client cannot send one. */
async function stranger(
  { connectors }: Provisioning,
  { hostLabel, encrypted }: Link,
  userName: string,
): Promise<Stranger> {
  const byHost = hostLabel === '' ? undefined : await connectors.find(hostLabel)
  const byName = userName === '' ? undefined : await connectors.find(userName)
  if (byHost !== undefined && userName !== '' && byName !== byHost) throw new Fault('wrong_host')
  const connector = byHost ?? byName
  if (connector === undefined) {
    throw new Fault('unknown_identity', 'Neither server name nor user name names a connector.')
  }
  if (!encrypted && !connector.devmode) throw new Fault('plain_connection')
  return { kind: 'stranger', connector }
}
