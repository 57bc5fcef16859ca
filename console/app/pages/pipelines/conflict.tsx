import { Alert, Button, Group, Text } from '@mantine/core'
import type { Pipeline } from '../../api/pipelines.ts'
import { ConflictSides } from '../../components/conflict-sides.tsx'
import { Icon } from '../../components/icon.tsx'
import { changesOf } from '../../ui/changes.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { type DraftLink, draftOf } from './document.ts'
import { pipelineTexts } from './texts.ts'
import type { Editing } from './use-draft.ts'

const texts = defineTexts(
  {
    title: (version: number) => `Somebody else saved version ${version} in the meantime`,
    by: (who: string) => `It was saved by ${who}.`,
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
  const compared = {
    keyOf: ({ key }: DraftLink) => key,
    nameOf: ({ name, functionId, key }: DraftLink) => name ?? functionId ?? key,
    changeOf: (old: DraftLink, link: DraftLink) => fieldsThatDiffer(old, link).join(', '),
    added: t.added,
    removed: t.removed,
  }
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
      <ConflictSides
        theirs={changesOf(base.links, draftOf(theirs).links, compared)}
        mine={changesOf(base.links, draft.links, compared)}
      />
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

const fields = ['name', 'enabled', 'timeoutMs', 'constants', 'checks', 'inlets', 'outlets'] as const

function fieldsThatDiffer(a: DraftLink, b: DraftLink): readonly string[] {
  return fields.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))
}
