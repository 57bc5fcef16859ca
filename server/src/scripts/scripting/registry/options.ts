import type { Hosts } from '../../../devices/hosts/index.ts'
import type { Database } from '../../../foundation/database/index.ts'
import type { Clock, Logger, Random } from '../../../foundation/kernel/index.ts'
import type { Activity } from '../../../log/activity/index.ts'
import type { ServiceSecrets } from '../configurations/service.ts'
import type { Services } from '../configurations/services.ts'
import type { DeliveryQueue } from '../events/deliveries.ts'
import type { ConnectorEvents } from '../events/shared-consumer.ts'
import type { ScriptHost } from '../runtime/host.ts'
import type { Programs } from './programs.ts'

/** The dependencies of the keepers of solutions, scripts and configurations. */
export type RegistryOptions = {
  readonly database: Database
  readonly activity: Pick<Activity, 'solutions'>
  /** The registry from which solutions take the labels of their hosts. */
  readonly hosts: Pick<Hosts, 'take' | 'release' | 'forget'>
  readonly host: Pick<ScriptHost, 'check' | 'readCalls' | 'forget'>
  readonly services: Services
  readonly programs: Programs
  readonly deliveries: Pick<DeliveryQueue, 'addIn' | 'addInlineIn' | 'removeIn' | 'wake'>
  readonly events: Pick<ConnectorEvents, 'removeIn'>
  /** Seals files that may hold secrets. */
  readonly secrets: ServiceSecrets
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}
