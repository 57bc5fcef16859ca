import { Button, Group, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { readTemplate, replaceTemplate, type Template } from '../../../api/templates.ts'
import { Icon } from '../../../components/icon.tsx'
import { NotFoundPage } from '../../../components/not-found.tsx'
import { PageHead } from '../../../components/page-head.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { hasCode } from '../../../ui/errors.ts'
import { saveFile } from '../../../ui/files.ts'
import { useLeaveWarning } from '../../../ui/leave-warning.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { useMay } from '../../../ui/session.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { MakeAssetsDialog } from './make-assets-dialog.tsx'
import { TemplateLinks } from './template-links.tsx'
import { TemplateSignals } from './template-signals.tsx'
import { TemplateWords } from './template-words.tsx'
import { useMayTemplate } from './use-templates.ts'

const texts = defineTexts(
  {
    title: 'Template',
    make: 'Make assets of it',
    file: 'Download as JSON',
    save: 'Save the template',
    discard: 'Discard the changes',
    changed: 'Changed, and not saved yet.',
    stay: 'Assets that were made of it stay as they are.',
    leave: 'The template has changes that are not saved. Leave without them?',
  },
  {
    de: {
      title: 'Vorlage',
      make: 'Anlagen daraus anlegen',
      file: 'Als JSON herunterladen',
      save: 'Vorlage speichern',
      discard: 'Änderungen verwerfen',
      changed: 'Geändert und noch nicht gespeichert.',
      stay: 'Daraus angelegte Anlagen bleiben, wie sie sind.',
      leave: 'Die Vorlage hat ungespeicherte Änderungen. Ohne sie weitergehen?',
    },
  },
)

const route = getRouteApi('/assets/templates/$template')

/** A template: its words, its signals and its functions, saved as one document. */
export function TemplatePage() {
  const t = useTexts(texts)
  const { template: id } = route.useParams()
  const { data, error } = useLive({
    key: ['template', id],
    read: (client, signal) => readTemplate(client, id, signal),
    everyMs: listEveryMs,
  })
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

function Editing({ template: { id, document } }: { readonly template: Template }) {
  const t = useTexts(texts)
  const mayChange = useMayTemplate()
  const mayMake = useMay('Asset Management')
  const [isMaking, setMaking] = useState(false)
  // Undefined until something was changed: until then what others save is shown.
  const [draft, setDraft] = useState<typeof document>()
  const { isBusy, error, run, reset } = useChange<typeof document>((client, wanted) =>
    replaceTemplate(client, id, wanted),
  )
  const shown = draft ?? document
  const become = mayChange
    ? (part: Partial<typeof document>) => setDraft({ ...shown, ...part })
    : undefined
  const forget = () => {
    reset()
    setDraft(undefined)
  }
  useLeaveWarning(draft !== undefined, t.leave)
  return (
    <>
      <PageHead title={document.name}>
        {mayMake && (
          <Button size="xs" onClick={() => setMaking(true)}>
            {t.make}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="download" size={14} />}
          onClick={() =>
            saveFile('template.json', 'application/json', JSON.stringify(document, null, 2))
          }
        >
          {t.file}
        </Button>
      </PageHead>
      {become !== undefined && (
        <Group gap="sm" mb="sm">
          <Button
            size="xs"
            disabled={draft === undefined}
            loading={isBusy}
            onClick={() => draft !== undefined && run(draft, forget)}
          >
            {t.save}
          </Button>
          {draft !== undefined && (
            <Button size="xs" variant="default" onClick={forget}>
              {t.discard}
            </Button>
          )}
          <Text size="sm" role="status">
            {draft === undefined ? t.stay : t.changed}
          </Text>
        </Group>
      )}
      {error !== null && <Trouble error={error} />}
      <TemplateWords document={shown} onChange={become} />
      <TemplateSignals document={shown} onChange={become} />
      <TemplateLinks document={shown} onChange={become} />
      {isMaking && (
        <MakeAssetsDialog template={{ id, name: document.name }} onClose={() => setMaking(false)} />
      )}
    </>
  )
}
