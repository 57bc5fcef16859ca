import type { Insight } from '@millrace/insight-sdk/protocol'
import { limits } from '../../../foundation/kernel/index.ts'
import type { Signal } from '../../assets/index.ts'
import type { StoredLink } from '../store.ts'
import type { Link } from '../types.ts'
import type { Problems } from './problems.ts'
import type { FindFunction, FullChange, LinkSpec } from './schema.ts'

/** A change, and all that it is compared with. */
export type PlanInput = {
  readonly businessId: string
  readonly assetId: string
  /** The links of the asset now. */
  readonly links: readonly Link[]
  /** The signals of the asset now. */
  readonly signals: readonly Signal[]
  readonly change: FullChange
  readonly find: FindFunction
  readonly newId: () => string
  readonly nowUs: number
}

/** A link of a change with its function; what feeds it and where its values go is not known yet. */
export type Draft = {
  /** Its place in the document. */
  readonly pointer: string
  readonly spec: LinkSpec
  readonly before: Link | undefined
  readonly insight: Insight
  readonly link: Omit<StoredLink, 'inlets' | 'constants' | 'checks'>
}

/** The links that a change names, in their order. */
export function draftLinks(input: PlanInput, problems: Problems): Draft[] {
  const known = new Map(input.links.map((link) => [link.id, link]))
  const named = new Set<string>()
  return input.change.links.flatMap((spec, at) => {
    const pointer = `/links/${at}`
    const before = spec.id == null ? undefined : known.get(spec.id)
    for (const name of [spec.id, spec.ref].filter((one) => one != null)) {
      if (named.has(name)) problems.add(pointer, `Another link of the document is "${name}", too.`)
      named.add(name)
    }
    if (before !== undefined) {
      checkSameFunction(spec, before, pointer, problems)
      return [makeDraft(input, { spec, pointer, before, insight: before.insight })]
    }
    if (spec.id != null && input.change.revive !== true) {
      problems.add(`${pointer}/id`, `The asset has no link ${spec.id}.`)
      return []
    }
    const insight = problems.try(`${pointer}/functionId`, () => input.find(spec))
    return insight === undefined ? [] : [makeDraft(input, { spec, pointer, before, insight })]
  })
}

/** Its values and its state are of that function: another function is another link. */
function checkSameFunction(
  spec: LinkSpec,
  before: Link,
  pointer: string,
  problems: Problems,
): void {
  for (const field of ['moduleId', 'functionId', 'groupId'] as const) {
    if (spec[field] == null || spec[field] === before[field]) continue
    problems.add(`${pointer}/${field}`, 'A link keeps its function; make a new link.')
  }
}

function makeDraft(
  { businessId, assetId, newId, nowUs }: PlanInput,
  { spec, pointer, before, insight }: Omit<Draft, 'link'>,
): Draft {
  const name = (spec.name || before?.name || insight.name).slice(0, limits.nameCharsMax)
  const enabled = spec.enabled ?? before?.enabled ?? true
  const { timeoutMs = before?.timeoutMs ?? null } = spec
  const made = {
    id: spec.id ?? newId(),
    businessId,
    assetId,
    moduleId: spec.moduleId ?? '',
    functionId: insight.id,
    groupId: spec.groupId ?? '',
    insight,
    outdated: [],
    createdAt: nowUs,
  }
  const link = { ...(before ?? made), name, enabled, timeoutMs }
  return { pointer, spec, before, insight, link }
}
