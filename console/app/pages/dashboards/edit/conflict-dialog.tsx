import { Button, Group, Modal, Text } from '@mantine/core'
import type { Dashboard, DashboardDocument } from '../../../api/dashboards/dashboards.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../dashboards.module.css'
import { boardTexts } from '../texts.ts'
import type { BoardEditing } from './use-board-draft.ts'

const texts = defineTexts(
  {
    title: 'Somebody else has saved this dashboard',
    about: 'Only one of the two can stay. What is not taken is lost.',
    theirs: 'What they changed',
    mine: 'What you changed',
    nothing: 'nothing',
    about2: 'name, description or period',
    added: 'new',
    removed: 'removed',
    changed: 'changed',
    take: 'Take theirs, discard mine',
    keep: 'Save mine in place of theirs',
    back: 'Keep editing',
  },
  {
    de: {
      title: 'Jemand anders hat dieses Dashboard gespeichert',
      about: 'Nur eines von beiden kann bleiben. Das andere geht verloren.',
      theirs: 'Dort geändert',
      mine: 'Von Ihnen geändert',
      nothing: 'nichts',
      about2: 'Name, Beschreibung oder Zeitraum',
      added: 'neu',
      removed: 'entfernt',
      changed: 'geändert',
      take: 'Deren Stand nehmen, meinen verwerfen',
      keep: 'Meinen Stand speichern',
      back: 'Weiter bearbeiten',
    },
  },
)

type Props = { readonly editing: BoardEditing; readonly theirs: Dashboard }

/** Both changes of a dashboard that two people edited, and the choice between them. */
export function ConflictDialog({ editing, theirs }: Props) {
  const t = useTexts(texts)
  const { base, draft } = editing
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
      <div className={styles.sides}>
        <Side title={t.theirs} from={base} to={theirs.document} />
        <Side title={t.mine} from={base} to={draft} />
      </div>
      <Group justify="end" mt="md" gap="xs">
        <Button size="xs" variant="default" onClick={editing.keepEditing}>
          {t.back}
        </Button>
        <Button size="xs" variant="default" onClick={() => editing.take(theirs)}>
          {t.take}
        </Button>
        <Button
          size="xs"
          loading={editing.isBusy}
          onClick={() => editing.overwrite(theirs.version)}
        >
          {t.keep}
        </Button>
      </Group>
    </Modal>
  )
}

type SideProps = {
  readonly title: string
  readonly from: DashboardDocument
  readonly to: DashboardDocument
}

function Side({ title, from, to }: SideProps) {
  const t = useTexts(texts)
  const words = useTexts(boardTexts)
  const before = new Map(from.panels.map((panel) => [panel.id, panel]))
  const kept = new Set(to.panels.map(({ id }) => id))
  const nameOf = (panel: DashboardDocument['panels'][number]) => panel.title ?? words[panel.type]
  const lines = [
    ...(aboutOf(from) === aboutOf(to) ? [] : [t.about2]),
    ...to.panels.flatMap((panel) => {
      const old = before.get(panel.id)
      if (old === undefined) return [`${nameOf(panel)}: ${t.added}`]
      const isSame = JSON.stringify(old) === JSON.stringify(panel)
      return isSame ? [] : [`${nameOf(panel)}: ${t.changed}`]
    }),
    ...from.panels
      .filter(({ id }) => !kept.has(id))
      .map((panel) => `${nameOf(panel)}: ${t.removed}`),
  ]
  return (
    <section aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {(lines.length === 0 ? [t.nothing] : lines).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two panels may have one name
          <li key={at}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

function aboutOf({ name, description, period }: DashboardDocument): string {
  return JSON.stringify([name, description, period])
}
