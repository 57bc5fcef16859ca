import type { Insight } from '@millrace/insight-sdk/protocol'
import type { CheckSpec } from '../links/link-check.ts'
import type { Link } from '../types.ts'

/** What feeds an inlet: a signal of the asset, or an outlet of another link of the document. */
export type InletSpec = {
  readonly signalId?: string | null | undefined
  /** The `id` or the `ref` of a link. */
  readonly link?: string | null | undefined
  /** 0 if it is left out. */
  readonly outlet?: number | null | undefined
}

/** Where an outlet's values go: a signal of the asset that nothing feeds, or one that is made. */
export type OutletSpec = {
  readonly signalId?: string | null | undefined
  /** The name of the signal; the function's suggestion for a new one if it is left out. */
  readonly name?: string | null | undefined
}

/**
 * A link of a document. With the id of a link it changes that one, and what it leaves out stays;
 * a link keeps its function.
 */
export type LinkSpec = {
  readonly id?: string | null | undefined
  /** The name by which inlets of the same document refer to a new link. */
  readonly ref?: string | null | undefined
  readonly moduleId?: string | null | undefined
  readonly functionId?: string | null | undefined
  readonly groupId?: string | null | undefined
  readonly name?: string | null | undefined
  readonly enabled?: boolean | null | undefined
  /** Milliseconds that a call may take; null: as long as the instance lets any. */
  readonly timeoutMs?: number | null | undefined
  readonly constants?: Readonly<Record<string, unknown>> | null | undefined
  /** They replace all that were given before. */
  readonly checks?: readonly CheckSpec[] | null | undefined
  readonly inlets?: readonly InletSpec[] | null | undefined
  readonly outlets?: readonly OutletSpec[] | null | undefined
}

/** A change of an asset's pipeline. */
export type PipelineChange = {
  readonly links: readonly LinkSpec[]
  /** Links that `links` does not name are removed. */
  readonly whole?: boolean | null | undefined
  /** The ids of links to be removed. */
  readonly remove?: readonly string[] | null | undefined
  /** The signals of removed links are removed with their history, and not detached. */
  readonly removeSignals?: boolean | null | undefined
  /** The version that was changed; refused if there is a newer one. */
  readonly version?: number | null | undefined
}

/** A change with what only the platform may ask for. */
export type FullChange = PipelineChange & {
  /** A link with an id that is not there is made with this id. */
  readonly revive?: boolean
}

/** Finds the function of a new link. @throws Fault not_found, module_failed */
export type FindFunction = (spec: LinkSpec) => Insight

/** An asset's pipeline as it is stored: the same form as a change. */
export type PipelineDocument = { readonly links: readonly DocumentLink[] }

export type DocumentLink = Pick<
  Link,
  | 'id'
  | 'moduleId'
  | 'functionId'
  | 'groupId'
  | 'name'
  | 'enabled'
  | 'timeoutMs'
  | 'constants'
  | 'checks'
> & {
  readonly type: Insight['type']
  readonly inlets: readonly InletSpec[]
  readonly outlets: readonly OutletSpec[]
}
