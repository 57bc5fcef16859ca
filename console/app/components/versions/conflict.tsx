import { Alert, Group, Text } from '@mantine/core'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Action } from '../controls/action.tsx'
import { Icon } from '../icon.tsx'
import { ConflictSides } from './conflict-sides.tsx'
import { useAuthor, type Version } from './version.ts'

const texts = defineTexts({
  title: (version: number) => [
    `Somebody else saved version ${version} in the meantime`,
    `Inzwischen hat jemand Version ${version} gespeichert`,
  ],
  by: (who: string) => [`It was saved by ${who}.`, `Gespeichert von: ${who}.`],
  take: ['Take theirs, discard mine', 'Deren Stand nehmen, meinen verwerfen'],
  keep: ['Save mine in place of theirs', 'Meinen Stand speichern'],
  lost: [
    'Either is a version: what is replaced can be restored.',
    'Beides sind Versionen: Was ersetzt wird, lässt sich wiederherstellen.',
  ],
})

type Props = {
  /** The version that somebody else saved. */
  readonly version: number
  /** Undefined until they are read: they say who saved it. */
  readonly versions: readonly Version[] | undefined
  /** A line for each part that each of the two changed. */
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
  readonly isBusy: boolean
  readonly onTake: () => void
  readonly onKeep: () => void
}

/** Both changes of what two people edited, and the choice between them. */
export function Conflict({ version, versions, theirs, mine, isBusy, onTake, onKeep }: Props) {
  const t = useTexts(texts)
  const author = useAuthor()
  const saved = versions?.find((one) => one.version === version)
  return (
    <Alert
      color="orange"
      role="alert"
      title={t.title(version)}
      icon={<Icon name="warning" />}
      mb="sm"
    >
      <Text size="sm" c="var(--mantine-color-text)">
        {saved !== undefined && t.by(author(saved))} {t.lost}
      </Text>
      <ConflictSides theirs={theirs} mine={mine} />
      <Group gap="xs" mt="sm">
        <Action text={t.take} onClick={onTake} />
        <Action text={t.keep} main busy={isBusy} onClick={onKeep} />
      </Group>
    </Alert>
  )
}
