import type { Pipelines, TracePoint, TraceStep } from '../../pipelines/index.ts'
import { type TracePointBody, type TraceStepBody, traceValue } from '../contract/insight/traces.ts'
import { ok, type Route, route } from '../route.ts'

/** Where values came from and what they led to. */
export function traceRoutes({ traces }: Pick<Pipelines, 'traces'>): Route[] {
  return [
    route(traceValue, async ({ principal, query: { signal, ts } }) => {
      const { assetId, value, steps, notes } = await traces.of(principal.view, signal, ts)
      return ok({
        asset: assetId,
        value: pointOf(value),
        steps: steps.map(stepOf),
        notes: [...notes],
      })
    }),
  ]
}

function pointOf({ signalId: signal, ...point }: TracePoint): TracePointBody {
  return { signal, ...point }
}

function stepOf(step: TraceStep): TraceStepBody {
  switch (step.kind) {
    case 'write': {
      const { connectorId: connector, signalId: signal, ...rest } = step
      return { connector, signal, ...rest }
    }
    case 'function': {
      const { kind, linkId: link, name, moduleId: module, functionId } = step
      const [inputs, outputs] = [step.inputs.map(pointOf), step.outputs.map(pointOf)]
      const made = { inputs, outputs, duration_us: step.us }
      return { kind, link, name, module, function: functionId, ...made }
    }
    case 'call': {
      const { linkId: link, moduleId: module, trackingId, us, ...rest } = step
      return { link, module, tracking_id: trackingId, duration_us: us, ...rest }
    }
    case 'notification': {
      const { linkId: link, solutionId: solution, acceptedAt, states, ...rest } = step
      return { link, solution, accepted_at: acceptedAt, states: states && { ...states }, ...rest }
    }
    case 'script_call': {
      const { solutionId: solution, trackingId, us, ...rest } = step
      return { solution, tracking_id: trackingId, duration_us: us, ...rest }
    }
    case 'status': {
      const { linkId: link, actions, ...rest } = step
      return {
        link,
        ...rest,
        actions: actions.map((one) => ({ link: one.linkId, name: one.name })),
      }
    }
    case 'failed_call': {
      const { linkId: link, failedAt, ...rest } = step
      return { link, failed_at: failedAt, ...rest }
    }
  }
}
