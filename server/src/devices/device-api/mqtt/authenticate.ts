import type { X509Certificate } from 'node:crypto'
import { Fault, limits, toFault } from '../../../foundation/kernel/index.ts'
import type { ConnectionCheck, Connector, Device, Provisioning } from '../../provisioning/index.ts'
import type { DeviceConnection } from '../device-connection.ts'

/** The user name and the password of a CONNECT; empty if it has none. */
export type ConnectCredentials = {
  readonly userName: string
  readonly password: string
}

/** The owner of a connection: a device, or an anonymous client that may only activate one. */
export type MqttPrincipal = DevicePrincipal | AnonymousPrincipal

export type DevicePrincipal = {
  readonly kind: 'device'
  /** As it was when it connected; its connector's settings may have changed since. */
  readonly device: Device
  /** Authenticates the device again; it counts as seen. @throws Fault as the first time. */
  readonly authenticate: AuthenticateAgain
  /** Checks that the connection may stay open while the device sends nothing. */
  readonly check: ConnectionCheck
}

export type AnonymousPrincipal = { readonly kind: 'anonymous'; readonly connector: Connector }

type AuthenticateAgain = () => Device | Promise<Device>

/**
 * Authenticates a CONNECT. An empty user name with a password is a token, and so is a token beside
 * the name of its connector or device; else both together are an identity with its password.
 * Without a password the client certificate counts, and without one the connection is anonymous.
 * @throws Fault the faults of each authentication method; for an anonymous connection
 *   `unknown_identity`, `wrong_host`, `plain_connection`.
 */
export async function authenticateMqtt(
  provisioning: Provisioning,
  connection: DeviceConnection,
  { userName, password }: ConnectCredentials,
): Promise<MqttPrincipal> {
  const { certificate } = connection
  if (password !== '' && userName === '') return byToken(provisioning, connection, password)
  if (password.length === limits.tokenChars) {
    const device = await byNamedToken(provisioning, connection, { userName, password })
    if (device !== undefined) return device
  }
  if (password === '' && certificate === undefined) {
    return anonymous(provisioning, connection, userName)
  }
  const authenticate =
    certificate === undefined || password !== ''
      ? byPassword(
          provisioning,
          connection,
          await splitName(provisioning, connection, userName),
          password,
        )
      : byCertificate(provisioning, connection, certificate, userName)
  const device = await authenticate()
  const check = await provisioning.openConnectionCheck(device, connection)
  return { kind: 'device', device, authenticate, check }
}

/** A token is checked by authenticating it again: its lookup is cached. */
async function byToken(
  provisioning: Provisioning,
  connection: DeviceConnection,
  token: string,
): Promise<DevicePrincipal> {
  const authenticate = () => provisioning.authenticateToken(token, connection)
  const check = async () => {
    // Without the address, so that the device does not count as seen.
    await provisioning.authenticateToken(token, { encrypted: connection.encrypted })
  }
  return { kind: 'device', device: await authenticate(), authenticate, check }
}

/**
 * A token beside the id of its connector or the identity of its device: some clients, such as a
 * bridge of Mosquitto, cannot send an empty user name. Undefined for anything else, such as a
 * password of as many characters.
 */
async function byNamedToken(
  provisioning: Provisioning,
  connection: DeviceConnection,
  { userName, password }: ConnectCredentials,
): Promise<DevicePrincipal | undefined> {
  try {
    // Without the address, so that the device does not count as seen if the name is another one.
    const { encrypted } = connection
    const { connector, identity } = await provisioning.authenticateToken(password, { encrypted })
    const names = [connector.id, identity, `${connector.id}/${identity}`]
    if (!names.includes(userName)) return undefined
  } catch (error) {
    if (toFault(error).code !== 'unknown_credential') throw error
    return undefined
  }
  return await byToken(provisioning, connection, password)
}

function byPassword(
  provisioning: Provisioning,
  { encrypted, ip, protocol }: DeviceConnection,
  { connectorId, identity }: Name,
  password: string,
): AuthenticateAgain {
  let provisions = true
  return () => {
    const use = { encrypted, ip, protocol, provisions }
    provisions = false
    return provisioning.authenticatePassword(connectorId, identity, password, use)
  }
}

/** The server name names the connector, or the user name if the client cannot send one. */
function byCertificate(
  provisioning: Provisioning,
  connection: DeviceConnection,
  certificate: X509Certificate,
  userName: string,
): AuthenticateAgain {
  const hostLabel = readHostLabel(connection)
  return async () => {
    const named = await findConnector(provisioning, hostLabel)
    const connectorId = named === undefined ? userName : hostLabel
    return provisioning.authenticateCertificate(connectorId, certificate, connection)
  }
}

type Name = { readonly connectorId: string; readonly identity: string }

/**
 * Splits the user name into connector and identity. If the server name is a connector, the whole
 * user name is the identity. Else (plain MQTT, a client that calls an address) it is
 * `<connector>/<identity>`; an id holds no slash.
 */
async function splitName(
  provisioning: Provisioning,
  connection: DeviceConnection,
  userName: string,
): Promise<Name> {
  const hostLabel = readHostLabel(connection)
  const named = await findConnector(provisioning, hostLabel)
  if (named !== undefined) return { connectorId: hostLabel, identity: userName }
  const slash = userName.indexOf('/')
  if (slash < 0) {
    throw new Fault('unknown_credential', 'Neither server name nor user name names a connector.')
  }
  return { connectorId: userName.slice(0, slash), identity: userName.slice(slash + 1) }
}

/** The server name names the connector, or the user name if the client cannot send one. */
async function anonymous(
  provisioning: Provisioning,
  connection: DeviceConnection,
  userName: string,
): Promise<AnonymousPrincipal> {
  const byHost = await findConnector(provisioning, readHostLabel(connection))
  const byName = await findConnector(provisioning, userName)
  if (byHost !== undefined && userName !== '' && byName !== byHost) throw new Fault('wrong_host')
  const connector = byHost ?? byName
  if (connector === undefined) {
    throw new Fault('unknown_identity', 'Neither server name nor user name names a connector.')
  }
  if (!connection.encrypted && !connector.devmode) throw new Fault('plain_connection')
  return { kind: 'anonymous', connector }
}

/** Returns the connector that a CONNECT names, whoever sends it: its log shows the refusal. */
export async function namedConnector(
  provisioning: Provisioning,
  connection: DeviceConnection,
  userName: string,
): Promise<Connector | undefined> {
  const [name = ''] = userName.split('/', 1)
  const byHost = await findConnector(provisioning, readHostLabel(connection))
  return byHost ?? findConnector(provisioning, name)
}

/** Returns the first label of the TLS server name, often a connector's id; empty without one. */
function readHostLabel({ serverName }: DeviceConnection): string {
  return serverName.split('.', 1)[0] ?? ''
}

async function findConnector({ connectors }: Provisioning, id: string) {
  return id === '' ? undefined : connectors.find(id)
}
