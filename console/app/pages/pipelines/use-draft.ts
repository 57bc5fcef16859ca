import { ApiError, type Problem } from '@millrace/client'
import type { InsightFunction } from '../../api/modules.ts'
import { type Pipeline, savePipeline } from '../../api/pipelines.ts'
import { useVersionedDraft } from '../../components/versions/versioned-draft.ts'
import { type Draft, type DraftLink, isSame, type Source, toChange, toDraft } from './document.ts'

export type Editing = ReturnType<typeof useDraft>

/**
 * The draft of a pipeline. Versions that others save are taken over until something was changed.
 * @param onSaved is given the keys that the links have now, by those that they had.
 */
export function useDraft(
  asset: string,
  pipeline: Pipeline,
  onSaved: (keys: ReadonlyMap<string, string>) => void,
) {
  const draftState = useVersionedDraft<Draft>({
    stored: toDraft(pipeline),
    isSame,
    save: async (client, draft) => toDraft(await savePipeline(client, asset, toChange(draft))),
    // A new link has an id from now on.
    onSaved: ({ links }, saved) =>
      onSaved(new Map(links.map(({ key }, at) => [key, saved.links[at]?.key ?? key]))),
  })
  const { draft, error, edit, isOutdated } = draftState
  const change = (key: string, part: Partial<DraftLink>) =>
    edit({
      ...draft,
      links: draft.links.map((one) => (one.key === key ? { ...one, ...part } : one)),
    })
  const problems: readonly Problem[] = error instanceof ApiError ? error.problems : []
  return {
    ...draftState,
    problems,
    /** The version that somebody else saved in the meantime. */
    theirs: isOutdated ? pipeline : undefined,
    change,
    remove: (key: string) =>
      edit({ ...draft, links: draft.links.filter((one) => one.key !== key) }),
    /** Adds a link of a function, and returns its key. */
    add: (of: Pick<DraftLink, 'moduleId' | 'groupId'>, described: InsightFunction): string => {
      const link = newLink(draft, of, described)
      edit({ ...draft, links: [...draft.links, link] })
      return link.key
    },
    /** Feeds an inlet of a link from a source. */
    connect: (key: string, inlet: number, source: Source) => {
      const link = draft.links.find((one) => one.key === key)
      const inlets = [...(link?.inlets ?? [])]
      inlets[inlet] = source.inlet
      change(key, { inlets })
    },
  }
}

function newLink(
  { links }: Draft,
  { moduleId = '', groupId = '' }: Pick<DraftLink, 'moduleId' | 'groupId'>,
  { id, name, type, inlets }: InsightFunction,
): DraftLink {
  const refs = new Set(links.map(({ ref }) => ref))
  let number = 1
  while (refs.has(`new-${number}`)) number += 1
  const ref = `new-${number}`
  const of = groupId === '' ? { moduleId } : { moduleId, groupId }
  const empty = { constants: {}, inlets: inlets.map(() => ({})), enabled: true }
  return { key: ref, ref, functionId: id, name, type, ...of, ...empty }
}
