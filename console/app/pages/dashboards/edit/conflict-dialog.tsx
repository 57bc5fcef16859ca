import { Group, Modal, Text } from '@mantine/core'
import type { Dashboard, DashboardDocument } from '../../../api/dashboards/dashboards.ts'
import { Action } from '../../../components/controls/action.tsx'
import { ConflictSides } from '../../../components/versions/conflict-sides.tsx'
import { listChanges } from '../../../ui/changes.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { boardTexts } from '../texts.ts'
import type { BoardEditing } from './use-board-draft.ts'

const texts = defineTexts({
  title: [
    'Somebody else has saved this dashboard',
    'Jemand anders hat dieses Dashboard gespeichert',
  ],
  about: [
    'Only one of the two can stay. What is not taken is lost.',
    'Nur eines von beiden kann bleiben. Das andere geht verloren.',
  ],
  settings: ['name, description or period', 'Name, Beschreibung oder Zeitraum'],
  added: ['new', 'neu'],
  removed: ['removed', 'entfernt'],
  changed: ['changed', 'geändert'],
  take: ['Take theirs, discard mine', 'Deren Stand nehmen, meinen verwerfen'],
  keep: ['Save mine in place of theirs', 'Meinen Stand speichern'],
  back: ['Keep editing', 'Weiter bearbeiten'],
})

type Props = { readonly editing: BoardEditing; readonly theirs: Dashboard }

/** Both changes of a dashboard that two people edited, and the choice between them. */
export function ConflictDialog({ editing, theirs }: Props) {
  const t = useTexts(texts)
  const { base, draft } = editing
  const linesOf = useLines()
  return (
    <Modal
      opened
      onClose={editing.keepEditing}
      title={t.title}
      size="lg"
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <Text size="sm">{t.about}</Text>
      <ConflictSides theirs={linesOf(base, theirs.document)} mine={linesOf(base, draft)} />
      <Group justify="end" mt="md" gap="xs">
        <Action text={t.back} onClick={editing.keepEditing} />
        <Action text={t.take} onClick={() => editing.take(theirs)} />
        <Action
          text={t.keep}
          main
          busy={editing.isBusy}
          onClick={() => editing.overwrite(theirs.version)}
        />
      </Group>
    </Modal>
  )
}

/** Returns the changes of a person, a line for each panel. */
function useLines() {
  const t = useTexts(texts)
  const words = useTexts(boardTexts)
  return (from: DashboardDocument, to: DashboardDocument) => {
    const settings = describeBoard(from) === describeBoard(to) ? [] : [t.settings]
    const panels = listChanges(from.panels, to.panels, {
      partKey: ({ id }) => id,
      partName: (panel) => panel.title ?? words[panel.type],
      describeChange: (old, panel) =>
        JSON.stringify(old) === JSON.stringify(panel) ? '' : t.changed,
      added: t.added,
      removed: t.removed,
    })
    return [...settings, ...panels]
  }
}

function describeBoard({ name, description, period }: DashboardDocument): string {
  return JSON.stringify([name, description, period])
}
