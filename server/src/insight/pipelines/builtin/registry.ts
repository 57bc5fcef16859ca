import { createHash } from 'node:crypto'
import type { Insight, SignalData } from '@millrace/insight-sdk/protocol'
import {
  Fault,
  isJsonObject,
  type Json,
  parseOwnJson,
  presentUntil,
} from '../../../foundation/kernel/index.ts'
import type { Module } from '../modules/schema.ts'
import type { Constants } from '../types.ts'
import { actions } from './actions.ts'
import {
  type Builtin,
  type BuiltinAnswer,
  type BuiltinCall,
  builtinGroups,
  type Kind,
} from './builtin.ts'
import { calculations } from './calculations.ts'
import { changes } from './changes.ts'
import { geofences } from './geofence.ts'
import { logic } from './logic.ts'
import { rules } from './rules.ts'
import { statistics } from './statistics.ts'
import { threshold } from './threshold.ts'

/** The id of the module whose functions run in this process. */
export const builtinId = 'builtin'

const all: readonly Builtin[] = [
  ...calculations,
  ...statistics,
  ...changes,
  ...logic,
  threshold,
  ...rules,
  ...geofences,
  ...actions,
]

const builtins: ReadonlyMap<string, Builtin> = new Map(all.map((one) => [one.insight.id, one]))

/** The state that a link keeps between its calls. */
export type LinkState = {
  /** The time of the newest datum that it took. */
  readonly newest: number
  /** The function and its constants that made it: of others it is worth nothing. */
  readonly of: string
  readonly kept: Json
}

/** A link as far as its function is concerned. */
type Linked = { readonly functionId: string; readonly constants: Constants }

export type BuiltinRun = Linked & {
  readonly data: readonly SignalData[]
  readonly previous: unknown
  readonly state: LinkState | undefined
  readonly isNew: BuiltinCall['isNew']
  readonly nowUs: number
}

export type BuiltinResult = {
  readonly value: readonly (readonly SignalData[])[]
  readonly complaints: readonly string[]
  /** The state that it keeps now; undefined if that did not change. */
  readonly state: LinkState | undefined
}

/** The functions that need no module, those of a group or all. */
export function builtinFunctions(groupId = ''): readonly Insight[] {
  return all.filter(({ group }) => groupId === '' || group === groupId).map((one) => one.insight)
}

/** The functions by their groups, each with when it keeps a state. */
export const builtinsByGroup = builtinGroups.map((group) => {
  const own = all.filter((one) => one.group === group)
  return { group, functions: own.map((one) => ({ ...one.insight, state: stateKind(one) })) }
})

function stateKind({ isStateful }: Builtin): 'never' | 'sustained' | 'always' {
  if (isStateful === undefined) return 'never'
  return isStateful({ seconds: 0 }) ? 'always' : 'sustained'
}

/** The module that they make up, as every business sees it. */
export function builtinModule(businessId: string): Module {
  return {
    id: builtinId,
    businessId,
    name: 'Built-in functions',
    url: null,
    info: { group_id_required: false, name: 'Built-in functions', wants_lifecycle_events: false },
    complaints: [],
    simulationSafe: true,
    createdAt: 0,
  }
}

/** @throws Fault invalid_argument for constants that make no sense together. */
export function checkBuiltin(functionId: string, constants: Constants): void {
  builtins.get(functionId)?.check?.(constants)
}

/** The function as it is with these constants and signals: what its outlets are is known then. */
export function builtinInsight(
  insight: Insight,
  constants: Constants,
  inlets: readonly Kind[],
): Insight {
  const outlets = builtins.get(insight.id)?.chooseOutlets?.(constants, inlets)
  return outlets === undefined ? insight : { ...insight, outlets }
}

/** Returns true if what its outlets are depends on its constants or its inlets. */
export function isShaped(functionId: string): boolean {
  return builtins.get(functionId)?.chooseOutlets !== undefined
}

export function isStateful({ functionId, constants }: Linked): boolean {
  return builtins.get(functionId)?.isStateful?.(constants) ?? false
}

/** Returns true if it needs the last value of its first outlet. */
export function readsPrevious({ functionId, constants }: Linked): boolean {
  return builtins.get(functionId)?.readsPrevious?.(constants) ?? false
}

/**
 * Runs a built-in function on data in the order of their times. A function with a state takes none
 * twice and none that is older than what it took: a state goes forward only. A stamp of the future
 * was made by a clock that ran ahead; after it, the function begins anew. @throws Fault not_found
 */
export function runBuiltin(run: BuiltinRun): BuiltinResult {
  const { functionId, constants, previous, isNew } = run
  const builtin = builtins.get(functionId)
  if (builtin === undefined) {
    throw new Fault('not_found', `There is no built-in function "${functionId}".`)
  }
  const sorted = run.data.toSorted((a, b) => a.ts - b.ts)
  const call = { constants, previous, isNew }
  if (!isStateful(run)) {
    return toResult(builtin.process({ ...call, data: sorted, state: undefined }), undefined)
  }
  const state = usable(run)
  const data = newer(sorted, state?.newest ?? Number.NEGATIVE_INFINITY)
  const newest = data.at(-1)?.ts
  if (newest === undefined) return { value: [], complaints: [], state: undefined }
  const answer = builtin.process({ ...call, data, state: state?.kept })
  return toResult(answer, { newest, of: hashLink(run), kept: answer.state ?? null })
}

function usable(run: BuiltinRun): LinkState | undefined {
  const { state, nowUs } = run
  const isOwn = state?.of === hashLink(run) && state.newest <= presentUntil(nowUs)
  return isOwn ? state : undefined
}

/** Keeps the last of several data with one time. */
function newer(sorted: readonly SignalData[], than: number): SignalData[] {
  return sorted.filter(({ ts }, at) => ts > than && sorted[at + 1]?.ts !== ts)
}

function hashLink({ functionId, constants }: Linked): string {
  const text = JSON.stringify([functionId, constants])
  return createHash('sha256').update(text).digest('base64url').slice(0, markChars)
}

const markChars = 12

/** Numbers that are not finite are left out: no signal can have them. */
function toResult(answer: BuiltinAnswer, state: LinkState | undefined): BuiltinResult {
  const complaints = [...(answer.complaints ?? [])]
  const isUsable = ({ value }: SignalData) => typeof value !== 'number' || Number.isFinite(value)
  if (answer.outlets.some((values) => !values.every(isUsable))) {
    complaints.push('a result is no finite number, and left out')
  }
  return { value: answer.outlets.map((values) => values.filter(isUsable)), complaints, state }
}

/** Reads a state as it was stored. */
export function readLinkState(text: string): LinkState | undefined {
  const value = parseOwnJson<unknown>(text)
  return isJsonObject(value) ? (value as LinkState) : undefined
}
