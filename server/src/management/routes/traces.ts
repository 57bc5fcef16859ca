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
      return { kind, link, name, module, function: functionId, inputs, outputs }
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
