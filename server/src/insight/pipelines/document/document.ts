import type { Signal } from '../../assets/index.ts'
import { outletSignals } from '../links/signals.ts'
import type { StoredLink } from '../store.ts'
import type { Link } from '../types.ts'
import { findOutlets } from './outlets.ts'
import type { DocumentLink, InletSpec, OutletSpec, PipelineDocument } from './schema.ts'

/** The stored links with the signals that their outlets feed, in the order of the outlets. */
export function withOutlets(stored: readonly StoredLink[], signals: readonly Signal[]): Link[] {
  const byLink = Map.groupBy(signals, ({ source }) =>
    source !== null && 'linkId' in source ? source.linkId : '',
  )
  return stored.map((link) => {
    const own = findOutlets(byLink.get(link.id) ?? [], link.id)
    const outlets = [...own].toSorted(([a], [b]) => a - b).map(([, signal]) => signal.id)
    return { ...link, outlets }
  })
}

/** The links as a document, which can be saved again. */
export function toDocument(links: readonly Link[], signals: readonly Signal[]): PipelineDocument {
  const known = new Map(signals.map((signal) => [signal.id, signal]))
  return { links: links.map((link) => documentLink(link, known, findOutlets(signals, link.id))) }
}

function documentLink(
  link: Link,
  known: ReadonlyMap<string, Signal>,
  own: ReadonlyMap<number, Signal>,
): DocumentLink {
  const { id, moduleId, functionId, groupId, name, insight, enabled, timeoutMs } = link
  return {
    id,
    moduleId,
    functionId,
    groupId,
    name,
    type: insight.type,
    enabled,
    timeoutMs,
    constants: link.constants,
    checks: link.checks,
    inlets: link.inlets.map((signalId): InletSpec => {
      const source = known.get(signalId)?.source ?? null
      if (source === null || 'alias' in source) return { signalId }
      return { link: source.linkId, outlet: source.outlet }
    }),
    outlets: outletSignals(insight, id, name).map((_, at): OutletSpec => {
      const signal = own.get(at)
      return signal === undefined ? {} : { signalId: signal.id, name: signal.name }
    }),
  }
}
