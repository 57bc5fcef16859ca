import type { Provisioning } from '../../devices/provisioning/index.ts'
import { Fault } from '../../foundation/kernel/index.ts'
import type { Acting, Consequences, ScriptCause } from '../../insight/pipelines/index.ts'
import { type Activity, formatKey, type SolutionLine } from '../../log/activity/index.ts'
import { entryTrackingId } from '../../log/eventlog/index.ts'
import type { Scripting } from '../../scripts/scripting/index.ts'
import { statusTrackingId } from '../../scripts/services/asset/index.ts'
import type { Notifications } from '../../scripts/services/notification/index.ts'

/** Solutions of which the calls of a traced value are looked for. */
const traceSolutionsMax = 50

type ActingOptions = {
  readonly scripting: Pick<Scripting, 'solutions' | 'api'>
  readonly notifications: Pick<Notifications, 'checkText' | 'notify' | 'show'>
}

/** Returns what built-in actions of pipelines do. */
export function makeActing(
  { scripting, notifications }: ActingOptions,
  { setState }: Pick<Provisioning, 'setState'>,
): Acting {
  return {
    async notify(businessId, solutionId, message) {
      await scripting.solutions.get(businessId, solutionId)
      const { trackingId, ...text } = message
      return notifications.notify({ businessId, solutionId, trackingId }, text)
    },
    async checkNotice(businessId, solutionId, message) {
      await scripting.solutions.get(businessId, solutionId)
      await notifications.checkText(solutionId, message)
    },
    async callSolution(businessId, solutionId, { event, argument, trackingId }) {
      const call = { businessId, solutionId, service: 'pipeline', event, argument, trackingId }
      const end = await scripting.api.run(call)
      if (end.kind !== 'returned') throw new Fault('module_failed', end.error.error)
    },
    setResource: (businessId, { connectorId, identity }, values) =>
      setState(businessId, connectorId, identity, values),
  }
}

function toTrackingId(cause: ScriptCause): string {
  if ('seq' in cause) return entryTrackingId(cause)
  return 'eventId' in cause ? statusTrackingId(cause.eventId) : cause.trackingId
}

/**
 * The period after its cause in which a call of a script is looked for first, before the newest
 * lines.
 */
const nearUs = 600_000_000

/** Returns what values led to in scripts and notifications: for traces. */
export function makeConsequences(
  { scripting, notifications }: ActingOptions,
  { solutions: log }: Pick<Activity, 'solutions'>,
): Consequences {
  async function findCalls(businessId: string, solutionId: string, trackingId: string, at: number) {
    const filter = { trackingId, kinds: ['call', 'error'] as const }
    for (const before of [formatKey({ at: at + nearUs, part: 0, seq: 0 }), undefined]) {
      const { lines } = await log.lines(businessId, solutionId, { ...filter, before })
      if (lines.length > 0) return lines.map((line) => toScriptCall(solutionId, line))
    }
    return []
  }

  return {
    async scriptCalls(businessId, cause) {
      const { at } = cause
      const trackingId = toTrackingId(cause)
      const ids =
        'solutionId' in cause
          ? [cause.solutionId]
          : (await scripting.solutions.list(businessId)).map(({ id }) => id)
      const calls = []
      for (const id of ids.slice(0, traceSolutionsMax)) {
        calls.push(...(await findCalls(businessId, id, trackingId, at)))
      }
      return calls.toSorted((a, b) => a.at - b.at)
    },
    async notification(businessId, solutionId, sid) {
      try {
        const found = await notifications.show({ businessId, solutionId }, sid, { limit: 1 })
        return { acceptedAt: found.acceptedAt, states: found.states }
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return undefined
        throw error
      }
    },
  }
}

function toScriptCall(
  solutionId: string,
  { at, kind, service, handler, trackingId, usage }: SolutionLine,
) {
  const us = usage === undefined ? null : Math.round(usage.wallMs * usPerMs)
  const failed = kind === 'error'
  return { solutionId, service, handler, trackingId, at, us, failed }
}

const usPerMs = 1_000
