import { Fault } from '../../../foundation/kernel/index.ts'
import type { Activity, NewConnectorLine } from '../../../log/activity/index.ts'
import { type Connector, type Device, refusedDevice } from '../../provisioning/index.ts'
import type { DeviceConnection } from '../device-connection.ts'
import { type DeviceRequest, hostLabel, type LogSubject } from './request.ts'

/** Aliases that a line of the log names. */
const aliasesShownMax = 5

/**
 * Writes lines of the connector's log for requests: those that are not entries of the event log.
 */
export type RequestLog = {
  presence(kind: 'connect' | 'disconnect', connection: DeviceConnection, device: Device): void
  read(request: DeviceRequest, device: Device, aliases: readonly string[]): void
  downloaded(
    request: DeviceRequest,
    device: Device,
    what: { readonly id: string; readonly wanted: number; readonly sent: number },
  ): void
  /** Logs a refusal. Without a known connector there is no line. */
  rejected(request: DeviceRequest, thrown: unknown): void
}

export type RequestLogOptions = {
  readonly activity: Pick<Activity, 'connectors'>
  readonly connectors: { find(id: string): Connector | Promise<Connector | undefined> }
}

type LogLine = Pick<NewConnectorLine, 'kind' | 'message' | 'code' | 'severity'>

export function createRequestLog({ activity, connectors }: RequestLogOptions): RequestLog {
  function note(
    { ip, protocol }: DeviceConnection,
    { connector: { businessId, id: connectorId }, identity }: LogSubject,
    rest: LogLine,
  ): void {
    activity.connectors.write({ businessId, connectorId, identity, ip, protocol, ...rest })
  }

  return {
    presence(kind, connection, device) {
      note(connection, device, { kind, message: sentences[kind] })
    },
    read({ connection }, device, aliases) {
      const shown = aliases.slice(0, aliasesShownMax).join(', ')
      const more = aliases.length > aliasesShownMax ? ', …' : ''
      note(connection, device, { kind: 'read', message: `Read ${shown}${more}.` })
    },
    downloaded({ connection }, device, { id, wanted, sent }) {
      const whole = sent === wanted
      const message = whole
        ? `Downloaded ${sent} bytes of ${id}.`
        : `The download of ${id} was cut after ${sent} of ${wanted} bytes.`
      note(connection, device, { kind: 'content', severity: whole ? 'info' : 'warning', message })
    },
    rejected(request, thrown) {
      const { connection } = request
      const subject = refusedDevice(thrown) ?? request.subject
      if (subject !== undefined) return note(connection, subject, toRefusal(thrown))
      const label = hostLabel(request)
      if (label === '') return
      Promise.resolve(connectors.find(label)).then(
        (connector) => {
          if (connector !== undefined) {
            note(connection, { connector, identity: null }, toRefusal(thrown))
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
function toRefusal(thrown: unknown): LogLine {
  if (thrown instanceof Fault && thrown.code !== 'internal') {
    const { code, detail: message } = thrown
    return { kind: 'refusal', severity: 'warning', code, message }
  }
  const message = "It failed inside; the process's log says why."
  return { kind: 'refusal', severity: 'error', code: 'internal', message }
}
