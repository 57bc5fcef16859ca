import { Alert, Button, Group, Text } from '@mantine/core'
import type { Pipeline } from '../../api/pipelines.ts'
import { Icon } from '../../components/icon.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { type DraftLink, draftOf } from './document.ts'
import styles from './pipelines.module.css'
import { pipelineTexts } from './texts.ts'
import type { Editing } from './use-draft.ts'

const texts = defineTexts(
  {
    title: (version: number) => `Somebody else saved version ${version} in the meantime`,
    by: (who: string) => `It was saved by ${who}.`,
    theirs: 'What they changed',
    mine: 'What you changed',
    added: 'new',
    removed: 'removed',
    take: 'Take theirs, discard mine',
    keep: 'Save mine in place of theirs',
    lost: 'Either is a version: what is replaced can be restored.',
  },
  {
    de: {
      title: (version: number) => `Inzwischen hat jemand Version ${version} gespeichert`,
      by: (who: string) => `Gespeichert von ${who}.`,
      theirs: 'Dort geändert',
      mine: 'Von Ihnen geändert',
      added: 'neu',
      removed: 'entfernt',
      take: 'Deren Stand nehmen, meinen verwerfen',
      keep: 'Meinen Stand speichern',
      lost: 'Beides sind Versionen: Was ersetzt wird, lässt sich wiederherstellen.',
    },
  },
)

type Props = { readonly editing: Editing; readonly theirs: Pipeline }

/** Both changes of a pipeline that two people edited, and the choice between them. */
export function Conflict({ editing, theirs }: Props) {
  const t = useTexts(texts)
  const words = useTexts(pipelineTexts)
  const { base, draft } = editing
  return (
    <Alert
      color="orange"
      role="alert"
      title={t.title(theirs.version)}
      icon={<Icon name="warning" />}
      mb="sm"
    >
      <Text size="sm" c="var(--mantine-color-text)">
        {t.by(theirs.saved_by ?? words.platform)} {t.lost}
      </Text>
      <div className={styles.sides}>
        <Side title={t.theirs} from={base.links} to={draftOf(theirs).links} />
        <Side title={t.mine} from={base.links} to={draft.links} />
      </div>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={editing.discard}>
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
    </Alert>
  )
}

type SideProps = {
  readonly title: string
  readonly from: readonly DraftLink[]
  readonly to: readonly DraftLink[]
}

function Side({ title, from, to }: SideProps) {
  const t = useTexts(texts)
  const before = new Map(from.map((link) => [link.key, link]))
  const kept = new Set(to.map(({ key }) => key))
  const changes = to.flatMap((link) => {
    const old = before.get(link.key)
    if (old === undefined) return [`${link.name}: ${t.added}`]
    const fields = fieldsThatDiffer(old, link)
    return fields.length === 0 ? [] : [`${link.name}: ${fields.join(', ')}`]
  })
  const removed = from.filter(({ key }) => !kept.has(key))
  return (
    <section aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {[...changes, ...removed.map(({ name }) => `${name}: ${t.removed}`)].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  )
}

const compared = [
  'name',
  'enabled',
  'timeoutMs',
  'constants',
  'checks',
  'inlets',
  'outlets',
] as const

function fieldsThatDiffer(a: DraftLink, b: DraftLink): readonly string[] {
  return compared.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))
}
