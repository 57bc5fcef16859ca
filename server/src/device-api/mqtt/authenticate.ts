import type { X509Certificate } from 'node:crypto'
import { Fault } from '../../kernel/index.ts'
import type { Connector, Device, Provisioning, Standing } from '../../provisioning/index.ts'

/** How a connection came in, whoever speaks on it. */
export type Link = {
  readonly ip: string
  readonly encrypted: boolean
  /** As the log shows it. */
  readonly protocol: 'mqtt' | 'mqtts'
  /** The first label of the TLS server name, often a connector's id; empty where there is none. */
  readonly hostLabel: string
  /** With which the other end proved itself in the handshake, whoever signed it. */
  readonly certificate: X509Certificate | undefined
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
  /** Who speaks, as things are now; it counts as seen. @throws Fault as the first time. */
  readonly prove: Prove
  /** Whether the connection may go on, though nothing is said on it. */
  readonly standing: Standing
}

export type Stranger = { readonly kind: 'stranger'; readonly connector: Connector }

type Prove = () => Device | Promise<Device>

/**
 * Who connects. An empty user name with a password is a token, both together are an identity with
 * its password. Without a password it is the client certificate that counts, and without one of
 * these it is a stranger.
 * @throws Fault what each way to authenticate throws; for a stranger `unknown_identity`,
 *   `wrong_host`, `plain_connection`.
 */
export async function authenticateMqtt(
  provisioning: Provisioning,
  link: Link,
  { userName, password }: Credentials,
): Promise<Speaker> {
  const { encrypted, certificate } = link
  if (password !== '' && userName === '') return byToken(provisioning, link, password)
  if (password === '' && certificate === undefined) return stranger(provisioning, link, userName)
  const byPassword = certificate === undefined || password !== ''
  const prove = byPassword
    ? proveByPassword(provisioning, link, await splitName(provisioning, link, userName), password)
    : proveByCertificate(provisioning, link, certificate, userName)
  const device = await prove()
  const standing = await provisioning.openStanding(device, { encrypted, certificate })
  return { kind: 'device', device, prove, standing }
}

/** A token says itself whether it still holds. */
async function byToken(
  provisioning: Provisioning,
  { encrypted, ip }: Link,
  token: string,
): Promise<DeviceSpeaker> {
  const prove = () => provisioning.authenticateToken(token, { encrypted, ip })
  const standing = async () => {
    await provisioning.authenticateToken(token, { encrypted })
  }
  return { kind: 'device', device: await prove(), prove, standing }
}

function proveByPassword(
  provisioning: Provisioning,
  { encrypted, ip, protocol }: Link,
  { connectorId, identity }: Name,
  password: string,
): Prove {
  const connection = { encrypted, ip, protocol }
  let first: { readonly provisions?: true } = { provisions: true }
  return () => {
    const proof = { ...connection, ...first }
    first = {}
    return provisioning.authenticatePassword(connectorId, identity, password, proof)
  }
}

/** By the server name, or by the user name where a client cannot send one. */
function proveByCertificate(
  provisioning: Provisioning,
  { hostLabel, encrypted, ip, protocol }: Link,
  certificate: X509Certificate,
  userName: string,
): Prove {
  const origin = { ip, protocol, encrypted }
  return async () => {
    const named = await connectorOf(provisioning, hostLabel)
    const connectorId = named === undefined ? userName : hostLabel
    return provisioning.authenticateCertificate(connectorId, certificate, origin)
  }
}

type Name = { readonly connectorId: string; readonly identity: string }

/**
 * Where the server name is a connector the user name is the identity, whole. Elsewhere (plain
 * MQTT, a client that calls an address) it is `<connector>/<identity>`; an id holds no slash.
 */
async function splitName(
  provisioning: Provisioning,
  { hostLabel }: Link,
  userName: string,
): Promise<Name> {
  const named = await connectorOf(provisioning, hostLabel)
  if (named !== undefined) return { connectorId: hostLabel, identity: userName }
  const slash = userName.indexOf('/')
  if (slash < 0) {
    throw new Fault('unknown_credential', 'Neither server name nor user name names a connector.')
  }
  return { connectorId: userName.slice(0, slash), identity: userName.slice(slash + 1) }
}

/** By the server name, or by the user name where a client cannot send one. */
async function stranger(
  provisioning: Provisioning,
  { hostLabel, encrypted }: Link,
  userName: string,
): Promise<Stranger> {
  const byHost = await connectorOf(provisioning, hostLabel)
  const byName = await connectorOf(provisioning, userName)
  if (byHost !== undefined && userName !== '' && byName !== byHost) throw new Fault('wrong_host')
  const connector = byHost ?? byName
  if (connector === undefined) {
    throw new Fault('unknown_identity', 'Neither server name nor user name names a connector.')
  }
  if (!encrypted && !connector.devmode) throw new Fault('plain_connection')
  return { kind: 'stranger', connector }
}

/**
 * The connector that a CONNECT names, whoever sends it: its operator sees what was refused.
 */
export async function namedConnector(
  provisioning: Provisioning,
  { hostLabel }: Link,
  userName: string,
): Promise<Connector | undefined> {
  const [name = ''] = userName.split('/', 1)
  return (await connectorOf(provisioning, hostLabel)) ?? connectorOf(provisioning, name)
}

async function connectorOf({ connectors }: Provisioning, id: string) {
  return id === '' ? undefined : connectors.find(id)
}
