import type { Problem } from '@millrace/client'
import type { InsightFunction } from '../../api/modules.ts'
import type { Pipeline, PipelineChange, PipelineLink } from '../../api/pipelines.ts'
import type { Signal } from '../../api/signals.ts'

/** A link as it is edited; a new one has a `ref`, and no id yet. */
export type DraftLink = PipelineLink & { readonly key: string }

/** A pipeline as it is edited, and the version that it began with. */
export type Draft = { readonly version: number; readonly links: readonly DraftLink[] }

/** A source of an inlet: a signal, or an outlet of a link that is not saved yet. */
export type Source = {
  /** `signal:<id>`, or `link:<key>:<outlet>`. */
  readonly id: string
  readonly name: string
  readonly primitiveType: string | null
  readonly isStatus: boolean
  readonly inlet: { readonly signalId?: string; readonly link?: string; readonly outlet?: number }
  /** The link that makes it. */
  readonly by: string | undefined
}

export function toDraft({ version, links }: Pipeline): Draft {
  return { version, links: links.map((link) => ({ ...link, key: link.id ?? '' })) }
}

/** The whole pipeline as a change. */
export function toChange({ version, links }: Draft): PipelineChange {
  return { version, whole: true, links: links.map(({ key: _key, ...link }) => link) }
}

export function isSame(a: Draft, b: Draft): boolean {
  return JSON.stringify(a.links) === JSON.stringify(b.links)
}

/** The key of a function's description: the same function of another group may differ. */
export function functionKey(link: Pick<PipelineLink, 'moduleId' | 'functionId'>): string {
  return `${link.moduleId}/${link.functionId}`
}

export type Functions = ReadonlyMap<string, InsightFunction>

/** Everything that inlets may take: the asset's signals, and outlets of new links. */
export function listSources(
  draft: Draft,
  signals: readonly Signal[],
  functions: Functions,
): readonly Source[] {
  const there = signals.map((signal): Source => {
    const by = signal.source?.linkId ?? undefined
    return {
      id: `signal:${signal.id}`,
      name: signal.name,
      primitiveType: signal.primitiveType,
      isStatus: by !== undefined && isRule(draft, by) && isFirst(signals, signal, by),
      inlet: { signalId: signal.id },
      by,
    }
  })
  const made = draft.links.flatMap((link) => (link.id === undefined ? listOutlets(link) : []))
  return [...there, ...made]

  function listOutlets(link: DraftLink): Source[] {
    const described = functions.get(functionKey(link))
    if (described === undefined || described.type === 'action') return []
    const rule = described.type === 'rule'
    const outlets = rule && described.outlets.length === 0 ? [null] : described.outlets
    return outlets.map((outlet, at) => ({
      id: `link:${link.key}:${at}`,
      name: `${link.name ?? described.name} ${outlet?.name ?? (rule ? 'status' : at)}`,
      primitiveType: rule && at === 0 ? 'JSON' : (outlet?.primitiveType ?? null),
      isStatus: rule && at === 0,
      inlet: { link: link.key, outlet: at },
      by: link.key,
    }))
  }
}

function isRule({ links }: Draft, id: string): boolean {
  return links.find((link) => link.id === id)?.type === 'rule'
}

function isFirst(signals: readonly Signal[], signal: Signal, by: string): boolean {
  return signals.find(({ source }) => source?.linkId === by)?.id === signal.id
}

type Inlet = NonNullable<PipelineLink['inlets']>[number]

/** The id of the source that an inlet names; empty if it has none yet. */
export function sourceId(
  inlet: Inlet | undefined,
  signals: readonly Signal[],
  draft: Draft,
): string {
  if (inlet?.signalId != null) return `signal:${inlet.signalId}`
  if (inlet?.link == null) return ''
  const of = draft.links.find(({ id, key }) => id === inlet.link || key === inlet.link)
  if (of?.id === undefined) return `link:${inlet.link}:${inlet.outlet ?? 0}`
  const outlet = of.outlets?.[inlet.outlet ?? 0]?.signalId
  const made = signals.filter(({ source }) => source?.linkId === of.id)
  return `signal:${outlet ?? made[inlet.outlet ?? 0]?.id ?? ''}`
}

/** Returns the problems of each link, by its key; under an empty key those of no link. */
export function problemsByLink(
  problems: readonly Problem[],
  draft: Draft,
): ReadonlyMap<string, readonly Problem[]> {
  const found = new Map<string, Problem[]>()
  for (const { pointer, detail } of problems) {
    const [, index, rest = ''] = /^\/links\/(\d+)(.*)$/.exec(pointer) ?? []
    const key = index === undefined ? '' : (draft.links[Number(index)]?.key ?? '')
    const list = found.get(key) ?? []
    list.push({ pointer: key === '' ? pointer : rest, detail })
    found.set(key, list)
  }
  return found
}

/**
 * Returns the distance of each link from the devices: 1 for one that takes only signals of devices.
 */
export function computeDepths(
  draft: Draft,
  sources: readonly Source[],
  signals: readonly Signal[],
): ReadonlyMap<string, number> {
  const by = new Map(sources.map((source) => [source.id, source.by]))
  const depths = new Map<string, number>()
  const computeDepth = (link: DraftLink, above: readonly string[]): number => {
    const known = depths.get(link.key)
    if (known !== undefined) return known
    if (above.includes(link.key)) return 1
    const feeding = (link.inlets ?? []).map((inlet) => by.get(sourceId(inlet, signals, draft)))
    const before = draft.links.filter(({ key }) => feeding.includes(key))
    const steps = before.map((one) => computeDepth(one, [...above, link.key]))
    const depth = 1 + Math.max(0, ...steps)
    depths.set(link.key, depth)
    return depth
  }
  for (const link of draft.links) computeDepth(link, [])
  return depths
}
