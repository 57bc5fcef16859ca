import { limits } from '../../foundation/kernel/index.ts'
import type { entryKinds } from '../eventlog/index.ts'
import { type ConnectorLineKind, type Severity, type ShownEntryKind, severities } from './kinds.ts'
import { activityLimits } from './limits.ts'
import { cleanLine, formatKey, type LogSchema } from './line.ts'
import type { ConnectorFilter, ConnectorLine } from './schema.ts'

/** Something that happened to a connector and is no entry of the event log. */
export type NewConnectorLine = {
  readonly businessId: string
  readonly connectorId: string
  readonly kind: Exclude<ConnectorLineKind, (typeof entryKinds)[ShownEntryKind]['line']>
  /** As the device gave it, if it is a refusal; null if it gave none. */
  readonly identity: string | null
  readonly ip: string
  /** `http`, `https`, `mqtt`, … */
  readonly protocol: string
  /** If it is left out: `warning` for a refusal, else `info`. */
  readonly severity?: Severity
  /** The short answer that the device was given. */
  readonly code?: string | undefined
  /** The sentence for the operator. */
  readonly message: string
}

/** Rejections of clients that chose their identity: the next one comes with another. */
const ofUnknownClients: ReadonlySet<string> = new Set(['too_many_requests', 'connector_full'])

/**
 * A device does the same again and again, so repetitions are folded. Refusals have a budget of
 * their own, so that unknown clients do not displace the lines of devices.
 */
export const connectorLog: LogSchema<ConnectorLine, NewConnectorLine, ConnectorFilter> = {
  owner: 'connector',
  about: { kind: 'log', severity: 'warning' satisfies Severity },
  retentionHours: () => limits.lineRetentionHours,
  /** Downloads of a device differ by their text; the text of a refusal is the client's choice. */
  foldKey({ ownerId, kind, subject, code, text, details: { ip, protocol } }) {
    const what = kind === 'content' ? text : code
    const who = code !== null && ofUnknownClients.has(code) ? null : subject
    return JSON.stringify([ownerId, kind, who, ip, protocol, what])
  },
  budgetKey: ({ ownerId, kind }) => `${ownerId}/${kind === 'refusal'}`,
  budgetName: () => '',
  toStored({ businessId, connectorId, kind, identity, ip, protocol, code, ...line }, at) {
    const { severity = kind === 'refusal' ? 'warning' : 'info', message } = line
    return {
      businessId,
      ownerId: connectorId,
      at,
      kind,
      severity,
      subject: identity === null ? null : cleanLine(identity, limits.identityCharsMax),
      code: code ?? null,
      text: cleanLine(message, activityLimits.connectorLineCharsMax),
      count: 1,
      details: { ip, protocol },
    }
  },
  fromStored({ at, part, seq, subject, code, text, count, ...line }) {
    const { ip, protocol } = line.details as { readonly ip?: string; readonly protocol?: string }
    return {
      id: formatKey({ at, part, seq }),
      at,
      part,
      seq,
      kind: line.kind as ConnectorLineKind,
      severity: line.severity as Severity,
      identity: subject,
      ip: ip ?? '',
      protocol: protocol ?? '',
      code,
      message: text,
      count,
    }
  },
  toFilter: ({ identity, kinds, severity, text }) => ({
    subject: identity,
    kinds,
    severities: severity === undefined ? undefined : severities.filter((one) => one === severity),
    text,
  }),
}
