import { ApiError, type Problem } from '@millrace/client'
import { useState } from 'react'
import type { InsightFunction } from '../../api/modules.ts'
import { type Pipeline, type PipelineChange, savePipeline } from '../../api/pipelines.ts'
import { useChange } from '../../ui/change.ts'
import { hasCode } from '../../ui/errors.ts'
import { changeOf, type Draft, type DraftLink, draftOf, isSame, type Source } from './document.ts'

export type Editing = ReturnType<typeof useDraft>

/**
 * What is edited of a pipeline. What others save is taken over until something was changed.
 * @param onSaved is given the keys that the links have now, by those that they had.
 */
export function useDraft(
  asset: string,
  pipeline: Pipeline,
  onSaved: (keys: ReadonlyMap<string, string>) => void,
) {
  const [base, setBase] = useState(() => draftOf(pipeline))
  const [draft, setDraft] = useState(base)
  const isChanged = !isSame(base, draft)
  if (!isChanged && pipeline.version > draft.version) {
    setBase(draftOf(pipeline))
    setDraft(draftOf(pipeline))
  }
  const { isBusy, error, run, reset } = useChange<PipelineChange>(async (client, change) => {
    const next = draftOf(await savePipeline(client, asset, change))
    setBase(next)
    setDraft(next)
    // A new link has an id from now on.
    onSaved(new Map(draft.links.map(({ key }, at) => [key, next.links[at]?.key ?? key])))
  })
  const edit = (next: Draft) => {
    reset()
    setDraft(next)
  }
  const change = (key: string, part: Partial<DraftLink>) =>
    edit({
      ...draft,
      links: draft.links.map((one) => (one.key === key ? { ...one, ...part } : one)),
    })
  const outdated = hasCode(error, 'pipeline_outdated') || pipeline.version > draft.version
  const problems: readonly Problem[] = error instanceof ApiError ? error.problems : []
  return {
    draft,
    base,
    isChanged,
    isBusy,
    error,
    problems,
    /** What somebody else saved in the meantime. */
    theirs: isChanged && outdated && pipeline.version > draft.version ? pipeline : undefined,
    save: () => run(changeOf(draft)),
    /** Saves what is here in place of a newer version. */
    overwrite: (version: number) => run(changeOf({ ...draft, version })),
    discard: () => {
      reset()
      setBase(draftOf(pipeline))
      setDraft(draftOf(pipeline))
    },
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
  return Object.assign({ key: ref, ref, functionId: id, name, type }, of, empty)
}
