import { hash } from 'node:crypto'
import type {
  LifecycleEvent,
  ProcessArgs,
  ProcessRequest,
  SignalData,
} from '@millrace/insight-sdk/protocol'
import { newId } from '../../../foundation/kernel/index.ts'
import { entryTrackingId } from '../../../log/eventlog/index.ts'
import type { Job, NewJob } from '../../../log/jobs/index.ts'
import type { Use } from '../../marketplace/index.ts'
import type { BatchValues, Last } from '../last-values.ts'
import type { AssetGraph, RunLink } from '../links/graphs.ts'
import { alive, type Datum, type Fresh, type StatusEffect } from '../run.ts'
import type { RunOfJob, TracedRun } from '../trace/record.ts'
import type { Link } from '../types.ts'

/** The values that a run begins with, each with the id of its signal. */
export type RunValues = {
  readonly fresh: readonly (readonly [string, readonly Datum[]])[]
  /** The last values of inlets without a new value, as they were at the entry. */
  readonly last: readonly (readonly [string, Last])[]
  /**
   * Numbers of the entries that they come from, in the partition of the job; left out: the one that
   * the run is of.
   */
  readonly causes?: readonly number[] | undefined
}

/** A call as it was sent. */
export type SentCall = {
  readonly trackingId: string
  /** Number of times that it was made, or tried while its module rested. */
  readonly tries?: number | undefined
  readonly link: Pick<Link, 'id' | 'name' | 'moduleId' | 'functionId'>
  readonly request: ProcessRequest
}

/** The rest of the attempts before: the calls to be made again, exactly as they were. */
export type EarlierAttempt = {
  /** Ids of links. */
  readonly ran: readonly string[]
  readonly failed: readonly string[]
  readonly sent: readonly SentCall[]
}

/**
 * The input of a job of an asset:
 * - `run`: the part of an entry that needs modules, or one action whose status changed its level;
 *   with what an attempt before did, if a module was away.
 * - `call`: a call that failed, and the links that its function feeds.
 * - `notice`: an event that the module of a link receives.
 * - `setup`: a call of a module itself, when its use begins or ends; it is of no asset.
 */
export type RunInput =
  | RunsInput
  | ({ readonly kind: 'call'; readonly call: SentCall } & RunValues)
  | { readonly kind: 'notice'; readonly link: SentCall['link']; readonly event: LifecycleEvent }
  | { readonly kind: 'setup'; readonly operation: 'init' | 'gc'; readonly use: Use }

type RunsInput = RunValues & {
  readonly kind: 'run'
  /** The number of its entry, in the partition of the job. */
  readonly seq?: number | undefined
  /** The generation of its business's structure when it was stored. */
  readonly generation?: number | undefined
  /** The link of the action that it is for. */
  readonly action?: string | undefined
  readonly earlier?: EarlierAttempt | undefined
}

/**
 * Jobs of one key run one after the other: those of an asset, and those of each action, for which
 * nothing waits.
 */
export function jobKey({ assetId, id, insight }: Pick<Link, 'assetId' | 'id' | 'insight'>): string {
  return insight.type === 'action' ? `${assetId}/${id}` : assetId
}

/** The asset of a job. */
export function parseAssetId(key: string | null): string {
  return key?.split('/')[0] ?? ''
}

/**
 * The id of a call that a job makes for the first time. If its process ends before its results are
 * stored, the same call gets the same id: in the same job, and in another batch of the same entry.
 */
export function makeTrackingId(
  { id, part, input }: Pick<Job<RunInput>, 'id' | 'part' | 'input'>,
  linkId: string,
  data: readonly SignalData[],
): string {
  const seq = 'seq' in input ? input.seq : undefined
  const cause = seq === undefined ? id : `${part} ${seq}`
  const words = `${cause} ${linkId} ${data.length} ${data[0]?.ts}`
  return newId((bytes) => hash('sha256', words, 'buffer').subarray(0, bytes))
}

/** Returns the numbers of the entries that the values of a job come from. */
export function listCauses(input: RunInput): readonly number[] | undefined {
  if ('causes' in input && input.causes !== undefined) return input.causes
  return 'seq' in input && input.seq !== undefined ? [input.seq] : undefined
}

/** Returns the tracking ids of the same. */
export function listTrackingIds({ part, input }: Pick<Job<RunInput>, 'part' | 'input'>): string[] {
  return (listCauses(input) ?? []).map((seq) => entryTrackingId({ part, seq }))
}

/** Returns the names by which a trace finds the run of a job. */
export function runOfJob({ businessId, key, input }: Job<RunInput>): RunOfJob {
  const values = 'fresh' in input ? input.fresh.flatMap(([, data]) => data) : []
  const sent = input.kind === 'call' ? input.call.request.data : []
  const stamps = new Set([...values, ...sent].map(({ ts }) => ts))
  return { businessId, assetId: parseAssetId(key), stamps: [...stamps].sort((a, b) => a - b) }
}

/** The job that runs an action, because the level of the status that it hangs on has changed. */
export function actionJob(
  action: RunLink,
  effect: StatusEffect,
  { part, causes }: Pick<TracedRun, 'part' | 'causes'>,
): NewJob<RunInput> {
  const { id, businessId } = action
  const { link, datum, last } = effect
  const status = link.targets.get(0)?.id ?? ''
  // It ends the way of the value, so a ttl that is used up does not keep it from running.
  const fresh = [[status, [{ ...datum, ttl: Math.max(1, datum.ttl) }]]] as const
  const input = { kind: 'run', action: id, causes, fresh, last } as const
  return { businessId, tenant: businessId, key: jobKey(action), input, part }
}

/** Returns the values that the deferred links of an asset begin with; undefined if none can run. */
export function deferredValues(
  { deferred, actions, deferredSignals }: AssetGraph,
  fresh: Fresh,
  last: Pick<BatchValues, 'get'>,
): RunValues | undefined {
  if (deferred.length === 0) return undefined
  const isNew = (id: string) => alive(fresh.get(id) ?? []).length > 0
  const isGiven = (id: string) => isNew(id) || last.get(id) !== undefined || deferredSignals.has(id)
  const runs = deferred.some(({ inlets }) => inlets.some(isNew) && inlets.every(isGiven))
  if (!runs) return undefined
  const links = [...deferred, ...actions]
  const inlets = new Set(links.flatMap((link) => link.inlets))
  const others = links.filter((link) => link.inlets.length > 1).flatMap((link) => link.inlets)
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
export function toArgs({
  name,
  insight: { type },
  moduleId,
  functionId,
  groupId,
  constants,
}: Omit<Link, 'outlets'>): ProcessArgs {
  const group = groupId === '' ? {} : { group_id: groupId }
  return { type, name, insight_id: moduleId, function_id: functionId, ...group, constants }
}
