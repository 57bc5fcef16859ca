import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Clock,
  Fault,
  type Logger,
  limits,
  type Random,
  SharedBound,
  type VendorName,
} from '../../../foundation/kernel/index.ts'
import type { Activity } from '../../../log/activity/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { Provisioning } from '../../provisioning/index.ts'
import { createPresence, type PresenceWanted } from '../presence.ts'
import { createAnswers } from './answer.ts'
import { createCalls } from './calls.ts'
import { connectionFor } from './proxied-socket.ts'
import type { DeviceRequest } from './request.ts'
import { createRequestLog } from './request-log.ts'
import { createRoutes } from './routes.ts'
import type { TakeMessage } from './write.ts'

export type DeviceHttpOptions = {
  readonly provisioning: Provisioning
  readonly eventlog: EventLog
  readonly activity: Pick<Activity, 'connectors'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly vendors: readonly VendorName[]
  readonly presenceWanted?: PresenceWanted
  readonly takeMessage?: TakeMessage
}

/** The HTTP server for devices, behind plain HTTP and TLS. */
export type DeviceHttp = {
  /** Returns true if the URL's path is a call of the device API. */
  owns(url: string): boolean
  /** Answers any request; an unknown path gets a 404. */
  handle(message: IncomingMessage, response: ServerResponse): void
  /** Ends the long polls that are open, each with its answer. */
  close(): void
}

export function createDeviceHttp(options: DeviceHttpOptions): DeviceHttp {
  const { provisioning, eventlog, activity, clock, random, logger, vendors } = options
  const answers = createAnswers(clock, logger)
  const openPolls = new Set<() => void>()
  const pollBound = new SharedBound({ what: 'long polls', max: () => limits.longPollsMax })
  const openDownloads = new Set<ServerResponse>()
  const log = createRequestLog({ activity, connectors: provisioning.connectors })
  const connections = {
    provisioning,
    presence: createPresence(options),
    random,
    note: log.presence,
  }
  const routes = createRoutes(
    vendors,
    createCalls({
      provisioning,
      eventlog,
      clock,
      takeMessage: options.takeMessage,
      vendors,
      answers,
      openPolls,
      pollBound,
      openDownloads,
      log,
    }),
  )
  return {
    owns: (url) => routes.owns(url),
    handle(message, response) {
      const { call, allow, instead, query } = routes.find(
        message.method ?? 'GET',
        message.url ?? '/',
      )
      if (call === undefined) {
        message.resume()
        if (instead !== undefined) return answers.replaced(response, instead)
        const code = allow === undefined ? 'not_found' : 'method_not_allowed'
        return answers.refuse(response, new Fault(code), allow)
      }
      const connection = connectionFor(connections, message)
      const request: DeviceRequest = { message, connection, query }
      call(request, response).catch((error) => {
        message.resume()
        log.rejected(request, error)
        answers.failed(response, error)
      })
    },
    close() {
      for (const end of [...openPolls]) end()
    },
  }
}
