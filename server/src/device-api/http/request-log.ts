import type { EventLog, Note } from '../../eventlog/index.ts'
import { Fault, limits, type Random } from '../../kernel/index.ts'
import { type Connector, type Device, refusedDevice } from '../../provisioning/index.ts'
import type { Presence } from '../presence.ts'
import { createDeviceConnections } from './device-connections.ts'
import { type DeviceRequest, hostLabel, logFieldsOf } from './request.ts'

/**
 * Writes lines of the connector's log for requests: those that are not entries of the event log.
 */
export type RequestLog = {
  /** Resolves when the log has the device's connect, if scripts subscribe to it. */
  authenticated(request: DeviceRequest, device: Device): Promise<void> | undefined
  /** The id of the request's connection. */
  connectionId(request: DeviceRequest): string
  /** Sets the identity of a request that is not authenticated yet, for its refusal's line. */
  identified(request: DeviceRequest, connector: Connector, identity: string): void
  read(request: DeviceRequest, device: Device, aliases: readonly string[]): void
  downloaded(
    request: DeviceRequest,
    device: Device,
    what: { readonly id: string; readonly wanted: number; readonly sent: number },
  ): void
  /** Logs a refusal. Without a known connector there is no line. */
  rejected(request: DeviceRequest, thrown: unknown): void
}

export type RequestLogDeps = {
  readonly eventlog: Pick<EventLog, 'note'>
  readonly connectors: { find(id: string): Connector | Promise<Connector | undefined> }
  readonly presence: Presence
  readonly random: Random
}

type LogLine = Pick<Note, 'kind' | 'message' | 'code' | 'severity'>
type LogSubject = { readonly connector: Connector; readonly identity: string | null }

export function createRequestLog({ eventlog, connectors, ...needs }: RequestLogDeps): RequestLog {
  const named = new WeakMap<DeviceRequest, LogSubject>()
  const connections = createDeviceConnections({
    ...needs,
    note: (kind, request, device) => note(request, device, { kind, message: sentences[kind] }),
  })

  function note(
    request: DeviceRequest,
    { connector: { businessId, id: connectorId }, identity }: LogSubject,
    rest: LogLine,
  ): void {
    eventlog.note({ businessId, connectorId, identity, ...logFieldsOf(request), ...rest })
  }

  return {
    authenticated(request, device) {
      named.set(request, device)
      return connections.authenticated(request, device)
    },
    connectionId: connections.idOf,
    identified(request, connector, identity) {
      named.set(request, { connector, identity })
    },
    read(request, device, aliases) {
      const shown = aliases.slice(0, limits.aliasesShownMax).join(', ')
      const more = aliases.length > limits.aliasesShownMax ? ', …' : ''
      note(request, device, { kind: 'read', message: `Read ${shown}${more}.` })
    },
    downloaded(request, device, { id, wanted, sent }) {
      const whole = sent === wanted
      const message = whole
        ? `Downloaded ${sent} bytes of ${id}.`
        : `The download of ${id} was cut after ${sent} of ${wanted} bytes.`
      note(request, device, { kind: 'content', severity: whole ? 'info' : 'warning', message })
    },
    rejected(request, thrown) {
      const who = refusedDevice(thrown) ?? named.get(request)
      if (who !== undefined) return note(request, who, refusalOf(thrown))
      const label = hostLabel(request)
      if (label === '') return
      Promise.resolve(connectors.find(label)).then(
        (connector) => {
          if (connector !== undefined) {
            note(request, { connector, identity: null }, refusalOf(thrown))
          }
        },
        () => {
          // The database is unavailable: only the process's log can have it.
        },
      )
    },
  }
}

const sentences = { connect: 'The device connected.', disconnect: 'The connection ended.' } as const

/** The code of the device's answer, and the sentence for the operator. */
function refusalOf(thrown: unknown): LogLine {
  if (thrown instanceof Fault && thrown.code !== 'internal') {
    const { code, detail: message } = thrown
    return { kind: 'refusal', severity: 'warning', code, message }
  }
  const message = "It failed inside; the process's log says why."
  return { kind: 'refusal', severity: 'error', code: 'internal', message }
}
