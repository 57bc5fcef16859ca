import { Group } from '@mantine/core'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { Action } from './controls/action.tsx'

const texts = defineTexts({
  pages: ['Pages', 'Seiten'],
  before: ['Previous', 'Zurück'],
  after: ['Next', 'Weiter'],
})

type Props = {
  /** Undefined on the first page. */
  readonly onBefore: (() => void) | undefined
  /** Undefined on the last page. */
  readonly onAfter: (() => void) | undefined
}

/** The way through a list of which no total is known. */
export function Pager({ onBefore, onAfter }: Props) {
  const t = useTexts(texts)
  if (onBefore === undefined && onAfter === undefined) return null
  return (
    <Group component="nav" aria-label={t.pages} gap="xs" mt="sm">
      <Action text={t.before} disabled={!onBefore} onClick={onBefore} />
      <Action text={t.after} disabled={!onAfter} onClick={onAfter} />
    </Group>
  )
}
