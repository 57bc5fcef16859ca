import type { ActionEffect, RecordedRun } from '../store/recorded-runs.ts'
import type { Link } from '../types.ts'
import type { Consequences, ScriptCause } from './consequences.ts'
import type { TraceStep, TraceStepOf } from './schema.ts'

/** A call of a link with what it led to, in the order in which they were made. */
export async function stepsOfCalls(
  consequences: Consequences,
  link: Link,
  runs: readonly RecordedRun[],
): Promise<TraceStep[]> {
  const steps: TraceStep[] = []
  for (const { endedAt: at, functions } of runs) {
    const made = functions.find((one) => one.link === link.id)
    if (made?.call === undefined) continue
    const { effects, ...call } = made.call
    const { id: linkId, name, moduleId } = link
    steps.push({ kind: 'call', linkId, name, moduleId, at, us: made.us, ...call })
    for (const effect of effects) {
      steps.push(...(await stepsOfEffect(consequences, link, effect, { at, ...call })))
    }
  }
  return steps
}

async function stepsOfEffect(
  consequences: Consequences,
  { id: linkId, name, businessId }: Link,
  effect: ActionEffect,
  { at, trackingId }: { readonly at: number; readonly trackingId: string },
): Promise<TraceStep[]> {
  const { solutionId } = effect
  if (effect.kind === 'script_call') {
    return scriptSteps(consequences, businessId, 'action', { at, trackingId, solutionId })
  }
  const { sid } = effect
  const sent = await consequences.notification(businessId, solutionId, sid)
  const states = sent?.states ?? null
  const acceptedAt = sent?.acceptedAt ?? at
  return [{ kind: 'notification', linkId, name, solutionId, sid, acceptedAt, states }]
}

/** The calls of scripts that came of a write, a change of a level, or an action. */
export async function scriptSteps(
  consequences: Consequences,
  businessId: string,
  cause: TraceStepOf<'script_call'>['cause'],
  of: ScriptCause,
): Promise<TraceStepOf<'script_call'>[]> {
  const calls = await consequences.scriptCalls(businessId, of)
  return calls.map((call) => ({ kind: 'script_call' as const, cause, ...call }))
}
