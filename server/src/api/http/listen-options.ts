import type { Server } from 'node:http'
import type { AcmeOrders } from '../../devices/acme/index.ts'
import type { DeviceHttp, DeviceMqtt } from '../../devices/device-api/index.ts'
import type { Hosts } from '../../devices/hosts/index.ts'
import type { ServerAuthority } from '../../devices/provisioning/index.ts'
import type { Clock, Logger, Random } from '../../foundation/kernel/index.ts'
import type { NotificationHttp } from '../../scripts/services/notification/index.ts'
import type { Webservice } from '../../scripts/services/webservice/index.ts'
import type { Graphql } from '../graphql/index.ts'
import type { Management } from '../management/index.ts'
import type { ListenSettings } from './addresses.ts'

export type ListenOptions = {
  readonly config: ListenSettings
  readonly deviceApi: DeviceHttp
  readonly mqtt: DeviceMqtt
  readonly graphql: Graphql
  readonly management: Management
  readonly webservice: Webservice
  readonly notifications: NotificationHttp
  readonly authority: ServerAuthority
  /** The order of certificates from an ACME server; undefined: none is asked. */
  readonly acme: AcmeOrders | undefined
  readonly hosts: Pick<Hosts, 'findKind'>
  readonly clock: Clock
  readonly logger: Logger
  /** The server of metrics, if there are any. */
  readonly metricsServer: Server | undefined
  /** Called for each request when it is answered; undefined: nobody measures. */
  readonly random: Random
  readonly times?: Partial<ListenTimes>
}

/** The times that clients may take, in milliseconds; the limits are the defaults. */
export type ListenTimes = {
  /** From a connection to the end of its TLS handshake, for HTTPS and for MQTT. */
  readonly handshakeMs: number
  /** For the head of a request; for the first byte after a handshake. */
  readonly requestMs: number
  /** From the start of a stop to its end, with requests under way. */
  readonly shutdownMs: number
}
