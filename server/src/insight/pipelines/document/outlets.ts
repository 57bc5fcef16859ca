import { limits } from '../../../foundation/kernel/index.ts'
import type { NewSignal, Signal } from '../../assets/index.ts'
import { builtinId, isShaped } from '../builtin/registry.ts'
import { outletSignals } from '../links/signals.ts'
import type { Link } from '../types.ts'
import type { Draft, PlanInput } from './draft.ts'
import type { Problems } from './problems.ts'
import type { OutletSpec } from './schema.ts'

/** The signal that an outlet writes. `name`: the new one of a signal that is there already. */
export type PlannedOutlet =
  | { readonly kind: 'made'; readonly signal: NewSignal }
  | { readonly kind: 'kept'; readonly signalId: string; readonly name: string | undefined }
  | { readonly kind: 'attached'; readonly signalId: string; readonly name: string | undefined }
  | { readonly kind: 'none' }

/** The id of an outlet in the graph: its signal's, or a name for one that is made. */
export function outletNode(linkId: string, at: number, outlet: PlannedOutlet): string | undefined {
  if (outlet.kind === 'none') return undefined
  return outlet.kind === 'made' ? `${linkId}#${at}` : outlet.signalId
}

/** The signals that a link's outlets feed, by outlet. */
export function findOutlets(
  signals: readonly Signal[],
  linkId: string,
): ReadonlyMap<number, Signal> {
  return new Map(
    signals.flatMap((signal) => {
      const { source } = signal
      const own = source !== null && 'linkId' in source && source.linkId === linkId
      return own ? [[source.outlet, signal] as const] : []
    }),
  )
}

/** Plans the outlets of all drafts; a signal is fed by one outlet only. */
export function planOutlets(
  input: PlanInput,
  drafts: readonly Draft[],
  removed: readonly Link[],
  problems: Problems,
): ReadonlyMap<Draft, readonly PlannedOutlet[]> {
  const planned = new Map<Draft, readonly PlannedOutlet[]>()
  const names = new Set(input.signals.map(({ name }) => name))
  for (const draft of drafts) planned.set(draft, draftOutlets(input, draft, names, problems))
  const taken = new Set<string>()
  const open = new Set([...drafts.map(({ link }) => link.id), ...freed(input, removed)])
  for (const [{ pointer }, outlets] of planned) {
    for (const [at, outlet] of outlets.entries()) {
      if (outlet.kind !== 'kept' && outlet.kind !== 'attached') continue
      const place = `${pointer}/outlets/${at}`
      if (taken.has(outlet.signalId)) problems.add(place, 'Another outlet feeds this signal.')
      taken.add(outlet.signalId)
      if (outlet.kind === 'attached') checkFree(input, outlet.signalId, open, place, problems)
    }
  }
  return planned
}

/** Removed links of which the signals stay. */
function freed({ change }: PlanInput, removed: readonly Link[]): string[] {
  return change.removeSignals === true ? [] : removed.map(({ id }) => id)
}

function checkFree(
  { signals, links }: PlanInput,
  signalId: string,
  open: ReadonlySet<string>,
  place: string,
  problems: Problems,
): void {
  const source = signals.find(({ id }) => id === signalId)?.source ?? null
  if (source === null) return
  if ('alias' in source) {
    problems.add(place, `The resource "${source.alias}" feeds this signal.`)
  } else if (!open.has(source.linkId)) {
    const name = links.find(({ id }) => id === source.linkId)?.name ?? source.linkId
    problems.add(place, `The link "${name}" feeds this signal.`)
  }
}

/** `names`: those of all signals; the names of new ones are added. */
function draftOutlets(
  input: PlanInput,
  draft: Draft,
  names: Set<string>,
  problems: Problems,
): PlannedOutlet[] {
  const { insight, link, before, spec, pointer } = draft
  const current = findOutlets(input.signals, link.id)
  const given = spec.outlets ?? []
  const all = outletSignals(insight, link.id, link.name)
  if (given.length > all.length) {
    const count = `${all.length} outlet${all.length === 1 ? '' : 's'}`
    problems.add(`${pointer}/outlets`, `The function "${insight.name}" has ${count}.`)
  }
  return all.map((suggested, at) => {
    const place = `${pointer}/outlets/${at}`
    const name = checkedName(given[at]?.name, `${place}/name`, problems)
    const wanted = wantedSignal(input, given[at])
    const now = current.get(at)
    if (now !== undefined && (wanted == null || wanted === now.id)) {
      return { kind: 'kept', signalId: now.id, name: name === now.name ? undefined : name }
    }
    if (wanted != null) {
      const isAny = link.moduleId === builtinId && isShaped(insight.id)
      const type = isAny ? undefined : suggested.primitiveType
      checkAttachable(input, type, given[at], place, problems)
      return { kind: 'attached', signalId: wanted, name }
    }
    if (before !== undefined && given[at] === undefined) return { kind: 'none' }
    const own = name ?? freeName(suggested.name, names)
    names.add(own)
    return { kind: 'made', signal: { ...suggested, name: own } }
  })
}

/** A suggested name is that of the function, so a further link of it gets a number behind it. */
function freeName(suggested: string, names: ReadonlySet<string>): string {
  let name = suggested
  for (let number = 2; names.has(name); number += 1) {
    const end = ` ${number}`
    name = `${suggested.slice(0, limits.nameCharsMax - end.length)}${end}`
  }
  return name
}

/** A version that is restored may name a signal that is gone: another is made. */
function wantedSignal({ change, signals }: PlanInput, outlet: OutletSpec | undefined) {
  const id = outlet?.signalId
  const gone = change.revive === true && !signals.some((signal) => signal.id === id)
  return gone ? undefined : id
}

function checkedName(
  name: string | null | undefined,
  place: string,
  problems: Problems,
): string | undefined {
  if (name == null) return undefined
  const fits = name.trim() !== '' && name.length <= limits.nameCharsMax && !name.includes('\0')
  if (!fits) problems.add(place, `A name has 1 to ${limits.nameCharsMax} characters.`)
  return name.trim()
}

function checkAttachable(
  { signals }: PlanInput,
  primitiveType: NewSignal['primitiveType'] | undefined,
  wanted: OutletSpec | undefined,
  place: string,
  problems: Problems,
): void {
  const signal = signals.find(({ id }) => id === wanted?.signalId)
  if (signal === undefined) {
    problems.add(place, 'There is no such signal of this asset.', 'not_found')
  } else if (primitiveType !== undefined && signal.primitiveType !== primitiveType) {
    problems.add(place, `"${signal.name}" is ${signal.primitiveType}, not ${primitiveType}.`)
  }
}
