import type { Pipeline } from '../../api/pipelines.ts'
import { Conflict } from '../../components/versions/conflict.tsx'
import { partTexts } from '../../components/versions/version.ts'
import { fieldsThatDiffer, listChanges } from '../../ui/changes.ts'
import { useTexts } from '../../ui/texts.ts'
import { type DraftLink, toDraft } from './document.ts'
import type { Editing } from './use-draft.ts'
import { usePipelineVersions } from './versions-view.tsx'

type Props = { readonly editing: Editing; readonly theirs: Pipeline }

/** Both changes of a pipeline that two people edited, and the choice between them. */
export function PipelineConflict({ editing, theirs }: Props) {
  const t = useTexts(partTexts)
  const { base, draft } = editing
  const versions = usePipelineVersions(theirs.asset)
  const compared = {
    partKey: ({ key }: DraftLink) => key,
    partName: ({ name, functionId, key }: DraftLink) => name ?? functionId ?? key,
    describeChange: (old: DraftLink, link: DraftLink) => fieldsThatDiffer(old, link).join(', '),
    added: t.added,
    removed: t.removed,
  }
  return (
    <Conflict
      version={theirs.version}
      versions={versions.data}
      theirs={listChanges(base.links, toDraft(theirs).links, compared)}
      mine={listChanges(base.links, draft.links, compared)}
      isBusy={editing.isBusy}
      onTake={editing.discard}
      onKeep={editing.overwrite}
    />
  )
}
