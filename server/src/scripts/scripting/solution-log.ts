import type { Activity, NewSolutionLine } from '../../log/activity/index.ts'
import type { Program, ScriptContext } from './registry/program.ts'
import type { HostEnd, HostHooks } from './runtime/host.ts'

/** Writes output of scripts and outcomes of their calls to the activity log, best effort. */
export type SolutionLog = {
  /** Both return at once and never fail. */
  readonly write: HostHooks['log']
  callEnded(program: Program, handler: string, context: ScriptContext, end: HostEnd): void
}

export function createSolutionLog({ solutions }: Pick<Activity, 'solutions'>): SolutionLog {
  return {
    write({ program: { businessId, solutionId }, context, handler = '', level, text }) {
      const { service = '', tracking_id: trackingId = '' } = context ?? {}
      const call = { service, handler, trackingId }
      solutions.write({ businessId, solutionId, ...call, kind: 'log', level, text })
    },
    callEnded({ businessId, solutionId }, handler, { service, tracking_id: trackingId }, end) {
      const call = { service, handler, trackingId, usage: end.usage }
      solutions.write({ businessId, solutionId, ...call, ...describeOutcome(end) })
    },
  }
}

function describeOutcome(end: HostEnd): Pick<NewSolutionLine, 'kind' | 'level' | 'text' | 'trace'> {
  if (end.kind === 'returned') return { kind: 'call', level: 'info', text: 'The call ended.' }
  const { error } = end.error
  const names = end.kind === 'stopped' && !error.startsWith(`limit ${end.limit}:`)
  const text = names ? `${error} (limit ${end.limit})` : error
  return { kind: 'error', level: 'error', text, trace: end.trace }
}
