import {
  type ConnectorLine,
  formatKey,
  type LineKey,
  parseKey,
  type SolutionLine,
} from '../../activity/index.ts'
import { invalid } from './fields.ts'

/** A line of a connector's log as the API shows it. */
export function connectorLine(line: ConnectorLine) {
  const { at, part: _part, seq: _seq, kind, ...fields } = line
  return { id: formatKey(line), timestamp: at, type: kind, ...fields }
}

/** A line of a solution's log as the API shows it. */
export function solutionLine(line: SolutionLine) {
  const { at, part: _part, seq: _seq, kind, trackingId, usage, trace, ...fields } = line
  return {
    id: formatKey(line),
    timestamp: at,
    type: kind,
    ...fields,
    tracking_id: trackingId,
    ...(usage && { usage: usageBody(usage) }),
    ...(trace && { trace }),
  }
}

function usageBody({ cpuMs, serviceCalls, wallMs }: NonNullable<SolutionLine['usage']>) {
  const cpu = Math.round(cpuMs * 10) / 10
  return { cpu_ms: cpu, service_calls: serviceCalls, wall_ms: Math.round(wallMs) }
}

/** @throws Fault invalid_argument */
export function parseBefore(text: string): LineKey {
  const key = parseKey(text)
  if (key === undefined) throw invalid('before', 'must be the id of a line')
  return key
}
