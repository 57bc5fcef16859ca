import type { Template, TemplateDocument } from '../../../api/templates.ts'
import { Conflict } from '../../../components/versions/conflict.tsx'
import { partTexts } from '../../../components/versions/version.ts'
import { fieldsThatDiffer, listChanges } from '../../../ui/changes.ts'
import { useTexts } from '../../../ui/texts.ts'
import { useTemplateVersions } from './template-versions.tsx'
import { useFieldLine } from './template-words.tsx'
import type { TemplateEditing } from './use-templates.ts'

type Props = { readonly editing: TemplateEditing; readonly theirs: Template }

/** Both changes of a template that two people edited, and the choice between them. */
export function TemplateConflict({ editing, theirs }: Props) {
  const linesOf = useLines()
  const { base, draft } = editing
  const versions = useTemplateVersions(theirs.id)
  return (
    <Conflict
      version={theirs.version}
      versions={versions.data}
      theirs={linesOf(base.document, theirs.document)}
      mine={linesOf(base.document, draft.document)}
      isBusy={editing.isBusy}
      onTake={editing.discard}
      onKeep={editing.overwrite}
    />
  )
}

type Signal = NonNullable<TemplateDocument['signals']>[number]
type Link = NonNullable<TemplateDocument['links']>[number]

/** Returns the changes of a person: a line for each field, each signal and each function. */
function useLines() {
  const t = useTexts(partTexts)
  const fieldLine = useFieldLine()
  return (
    { signals: oldSignals = [], links: oldLinks = [], ...before }: TemplateDocument,
    { signals = [], links = [], ...after }: TemplateDocument,
  ): readonly string[] => [
    ...fieldsThatDiffer(before, after).map(fieldLine),
    ...listChanges(oldSignals, signals, {
      ...t,
      partKey: ({ key }: Signal) => key,
      partName: ({ name }: Signal) => name,
      describeChange: (old: Signal, signal: Signal) => fieldsThatDiffer(old, signal).join(', '),
    }),
    ...listChanges(oldLinks, links, {
      ...t,
      partKey: ({ ref, id, name = '' }: Link) => ref ?? id ?? name,
      partName: ({ name, functionId = '' }: Link) => name ?? functionId,
      describeChange: (old: Link, link: Link) => fieldsThatDiffer(old, link).join(', '),
    }),
  ]
}
