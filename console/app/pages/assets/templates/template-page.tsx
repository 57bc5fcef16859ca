import { Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { readTemplate, type Template, type TemplateDocument } from '../../../api/templates.ts'
import { Action } from '../../../components/controls/action.tsx'
import { NotFoundPage } from '../../../components/not-found.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { Views } from '../../../components/views.tsx'
import { hasCode } from '../../../ui/errors.ts'
import { saveFile } from '../../../ui/files.ts'
import { useLeaveWarning } from '../../../ui/leave-warning.ts'
import { useRead } from '../../../ui/live-queries.ts'
import { useMay } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { MakeAssetsDialog } from './make-assets-dialog.tsx'
import { TemplateConflict } from './template-conflict.tsx'
import { TemplateLinks } from './template-links.tsx'
import { TemplateSignals } from './template-signals.tsx'
import { TemplateVersions } from './template-versions.tsx'
import { TemplateWords, templateTexts } from './template-words.tsx'
import { type TemplateEditing, useMayTemplate, useTemplateDraft } from './use-templates.ts'

const texts = defineTexts({
  title: ['Template', 'Vorlage'],
  make: ['Make assets of it', 'Anlagen daraus anlegen'],
  file: ['Download as JSON', 'Als JSON herunterladen'],
  save: ['Save the template', 'Vorlage speichern'],
  discard: ['Discard the changes', 'Änderungen verwerfen'],
  changed: ['Changed, and not saved yet.', 'Geändert und noch nicht gespeichert.'],
  versions: ['Versions', 'Versionen'],
  views: ['Views of the template', 'Ansichten der Vorlage'],
  version: (version: number) => [`Version ${version}.`, `Version ${version}.`],
  leave: [
    'The template has changes that are not saved. Leave without them?',
    'Die Vorlage hat ungespeicherte Änderungen. Ohne sie weitergehen?',
  ],
})

const views = {
  editor: Editor,
  versions: ({ stored: { id, version } }: EditorProps) => (
    <TemplateVersions template={id} current={version} />
  ),
} as const

const route = getRouteApi('/assets/templates/$template/{-$view}')

/** A template: its words, its signals and its functions, saved as one document. */
export function TemplatePage() {
  const t = useTexts(texts)
  const { template: id } = route.useParams()
  const { data, error } = useRead('template', readTemplate, [id])
  if (hasCode(error, 'not_found')) return <NotFoundPage />
  if (data === undefined) {
    return (
      <>
        <PageHead title={t.title} />
        {error !== null && <Trouble error={error} />}
      </>
    )
  }
  return <Editing key={id} template={data} />
}

function Editing({ template }: { readonly template: Template }) {
  const t = useTexts(texts)
  const { id, document } = template
  const mayMake = useMay('Asset Management')
  const [isMaking, setMaking] = useState(false)
  const editing = useTemplateDraft(template)
  useLeaveWarning(editing.isChanged, t.leave)
  return (
    <>
      <PageHead title={document.name}>
        {mayMake && <Action text={t.make} main onClick={() => setMaking(true)} />}
        <Action
          text={t.file}
          icon="download"
          onClick={() =>
            saveFile('template.json', 'application/json', JSON.stringify(document, null, 2))
          }
        />
      </PageHead>
      <Views
        titles={{ ...t, editor: t.title }}
        views={views}
        of={{ editing, stored: template }}
        kept="editor"
      />
      {isMaking && (
        <MakeAssetsDialog template={{ id, name: document.name }} onClose={() => setMaking(false)} />
      )}
    </>
  )
}

type EditorProps = { readonly editing: TemplateEditing; readonly stored: Template }

/** The words, the signals and the functions, with what was changed of them. */
function Editor({ editing, stored }: EditorProps) {
  const t = useTexts(texts)
  const words = useTexts(templateTexts)
  const mayChange = useMayTemplate()
  const { draft, isChanged, isOutdated, error } = editing
  const { document } = draft
  const become = mayChange
    ? (part: Partial<TemplateDocument>) =>
        editing.edit({ ...draft, document: { ...document, ...part } })
    : undefined
  return (
    <>
      {become !== undefined && (
        <Group gap="sm" mb="sm">
          <Action
            text={t.save}
            main
            disabled={!isChanged}
            busy={editing.isBusy}
            onClick={editing.save}
          />
          {isChanged && <Action text={t.discard} onClick={editing.discard} />}
          <Text size="sm" role="status">
            {isChanged ? t.changed : `${t.version(draft.version)} ${words.stay}`}
          </Text>
        </Group>
      )}
      {isOutdated && <TemplateConflict editing={editing} theirs={stored} />}
      {error !== null && !isOutdated && <Trouble error={error} />}
      <TemplateWords document={document} onChange={become} />
      <TemplateSignals document={document} onChange={become} />
      <TemplateLinks document={document} onChange={become} />
    </>
  )
}
