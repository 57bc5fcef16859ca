import type { ProcessRequest, SignalData } from '@millrace/insight-sdk/protocol'
import { type Clock, Fault } from '../../../foundation/kernel/index.ts'
import type { Assets } from '../../assets/index.ts'
import { type LinkState, runBuiltin } from '../builtin/registry.ts'
import type { BatchValues } from '../last-values.ts'
import type { RunLink } from '../links/graphs.ts'
import type { ModuleClient, ProcessCall } from '../modules/client.ts'
import type { CallResult, Effects } from '../run.ts'
import type { ActionEffect, MadeCall } from '../store/recorded-runs.ts'
import type { CalledModule } from '../types.ts'
import { readHistory } from './history.ts'
import { type SentCall, toArgs } from './run-input.ts'

/** The context of built-in functions of a run, beside the data of their calls. */
export type BuiltinContext = {
  readonly clock: Pick<Clock, 'nowUs'>
  readonly last: Pick<BatchValues, 'get'>
  /** The states that they keep, by link; changed by each call. */
  readonly states: Map<string, LinkState>
  readonly effects: Effects
  readonly isNew: (signalId: string) => boolean
}

/** Runs a built-in function; its failure is returned. */
export function callBuiltin(
  { clock, last, states, effects, isNew }: BuiltinContext,
  link: RunLink,
  data: readonly SignalData[],
): CallResult {
  const { id, functionId, constants } = link
  try {
    const { value, complaints, state } = runBuiltin({
      functionId,
      constants,
      data,
      previous: last.get(link.targets.get(0)?.id ?? '')?.value,
      state: states.get(id),
      isNew: ({ tags }) => isNew(tags?.signal ?? ''),
      nowUs: clock.nowUs(),
    })
    if (state !== undefined) {
      states.set(id, state)
      effects.states ??= new Map()
      effects.states.set(id, { link, state })
    }
    return { value, complaints }
  } catch (error) {
    return failed(error)
  }
}

/** A call while it is made. */
export type CallInProgress = { -readonly [Key in keyof MadeCall]: MadeCall[Key] } & {
  readonly effects: ActionEffect[]
}

export function newCall({ trackingId, tries = 1 }: SentCall): CallInProgress {
  return { trackingId, tries, requests: 0, status: null, reason: null, effects: [] }
}

/** Calls a function of a module; what the function or its module did wrong is returned. */
export async function callModule(
  client: ModuleClient,
  module: CalledModule | undefined,
  link: RunLink,
  { request, trackingId, causes }: SentCall & Pick<ProcessCall, 'causes'>,
  call: CallInProgress,
): Promise<CallResult> {
  try {
    if (module === undefined) throw new Fault('not_found', 'Its module is gone.')
    return await client.process(module, link.insight, {
      request,
      trackingId,
      ...(causes && { causes }),
      timeoutMs: link.timeoutMs,
      call,
    })
  } catch (error) {
    return failed(error)
  }
}

/** @throws an error for which the same call may succeed without any change. */
function failed(error: unknown): Fault {
  if (error instanceof Fault && lasting.has(error.code)) return error
  throw error
}

const lasting: ReadonlySet<string> = new Set([
  'module_failed',
  'address_refused',
  'not_found',
  'invalid_argument',
])

/** The body of a call, with past values for a function that requests them. */
export async function makeRequest(
  assets: Pick<Assets, 'history'>,
  link: RunLink,
  data: readonly SignalData[],
  isNew: (signalId: string) => boolean,
): Promise<ProcessRequest> {
  const request = { id: link.id, data, args: toArgs(link) }
  const history = await readHistory(assets, link, data, isNew)
  return history === undefined ? request : { ...request, history }
}
