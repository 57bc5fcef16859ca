import type { HistoryPoint, ProcessRequest, SignalData } from '@millrace/insight-sdk/protocol'
import type { Assets } from '../../assets/index.ts'
import { Fault, limits } from '../../kernel/index.ts'
import type { BatchValues } from '../last-values.ts'
import { processBuiltin } from '../links/builtin.ts'
import type { RunLink } from '../links/graphs.ts'
import type { ModuleClient } from '../modules/client.ts'
import type { CallResult } from '../run.ts'
import type { ExternalModule } from '../types.ts'
import { argsOf, type SentCall } from './run-input.ts'

/** Runs a built-in function; its failure is returned. */
export function callBuiltin(
  last: Pick<BatchValues, 'get'>,
  { targets, constants, functionId }: RunLink,
  data: readonly SignalData[],
): CallResult {
  try {
    const previous = last.get(targets.get(0)?.id ?? '')?.value
    return { value: processBuiltin(functionId, { data, constants, previous }), complaints: [] }
  } catch (error) {
    return failed(error)
  }
}

/** Calls a function of a module; what the function or its module did wrong is returned. */
export async function callModule(
  client: ModuleClient,
  module: ExternalModule | undefined,
  link: RunLink,
  { request, trackingId }: SentCall,
): Promise<CallResult> {
  try {
    if (module === undefined) throw new Fault('not_found', 'Its module is gone.')
    return await client.process(module, link.insight, request, trackingId)
  } catch (error) {
    return failed(error)
  }
}

/** @throws an error for which the same call may succeed without any change. */
function failed(error: unknown): Fault {
  if (error instanceof Fault && lasting.has(error.code)) return error
  throw error
}

const lasting: ReadonlySet<string> = new Set(['module_failed', 'address_refused', 'not_found'])

/** The body of a call, with past values of the inlets for a function that asks for them. */
export async function requestOf(
  assets: Pick<Assets, 'history'>,
  link: RunLink,
  data: readonly SignalData[],
): Promise<ProcessRequest> {
  const { id, insight, businessId, inlets } = link
  const request = { id, data, args: argsOf(link) }
  if (!insight.history) return request
  const history: Record<string, HistoryPoint[]> = {}
  for (const signalId of new Set(inlets)) {
    const range = { limit: limits.moduleHistoryValuesMax, order: 'desc' } as const
    history[signalId] = (await assets.history(businessId, signalId, range)).reverse()
  }
  return { ...request, history }
}
