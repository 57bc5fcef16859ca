import type { LifecycleEvent, ProcessArgs, ProcessRequest } from '@millrace/insight-sdk/protocol'
import type { Value } from '../../assets/index.ts'
import type { BatchValues } from '../last-values.ts'
import type { AssetGraph } from '../links/graphs.ts'
import { alive, type Datum, type Fresh } from '../run.ts'
import type { Link } from '../types.ts'

/** A last value of a signal, with the place that it came from if that is known. */
type Last = Value & { readonly origin?: string }

/** The values that a run begins with, each with the id of its signal. */
export type RunValues = {
  readonly fresh: readonly (readonly [string, readonly Datum[]])[]
  /** Of inlets without a new value, as they were at the entry. */
  readonly last: readonly (readonly [string, Last])[]
}

/** A call as it was sent. */
export type SentCall = {
  readonly trackingId: string
  readonly link: Pick<Link, 'id' | 'name' | 'moduleId' | 'functionId'>
  readonly request: ProcessRequest
}

/** What the attempts before left: the calls to be made again, exactly as they were. */
export type EarlierAttempt = {
  /** Ids of links. */
  readonly ran: readonly string[]
  readonly failed: readonly string[]
  readonly sent: readonly SentCall[]
}

/**
 * The input of a job of an asset:
 * - `run`: the part of an entry that needs modules; with what an attempt before did, if a module
 *   was away.
 * - `call`: a call that failed, and the links that its function feeds.
 * - `notice`: an event that the module of a link receives.
 */
export type RunInput =
  | ({ readonly kind: 'run'; readonly earlier?: EarlierAttempt | undefined } & RunValues)
  | ({ readonly kind: 'call'; readonly call: SentCall } & RunValues)
  | { readonly kind: 'notice'; readonly link: SentCall['link']; readonly event: LifecycleEvent }

/** Returns the values that the deferred links of an asset begin with; undefined if none can run. */
export function deferredValues(
  { deferred, deferredSignals }: AssetGraph,
  fresh: Fresh,
  last: Pick<BatchValues, 'get'>,
): RunValues | undefined {
  const isNew = (id: string) => alive(fresh.get(id) ?? []).length > 0
  const isGiven = (id: string) => isNew(id) || last.get(id) !== undefined || deferredSignals.has(id)
  const runs = deferred.some(({ inlets }) => inlets.some(isNew) && inlets.every(isGiven))
  if (!runs) return undefined
  const inlets = new Set(deferred.flatMap((link) => link.inlets))
  const others = deferred.filter((link) => link.inlets.length > 1).flatMap((link) => link.inlets)
  const needed = others.filter((id) => !isNew(id) && !deferredSignals.has(id))
  return {
    fresh: [...fresh].filter(([id]) => inlets.has(id)),
    last: [...new Set(needed)].flatMap((id) => {
      const known = last.get(id)
      return known === undefined ? [] : [[id, known] as const]
    }),
  }
}

/** The arguments of a link, as each of its calls carries them; an empty group is never sent. */
export function argsOf({
  functionId,
  groupId,
  constants,
}: Pick<Link, 'functionId' | 'groupId' | 'constants'>): ProcessArgs {
  const group = groupId === '' ? {} : { group_id: groupId }
  return { function_id: functionId, ...group, constants }
}
