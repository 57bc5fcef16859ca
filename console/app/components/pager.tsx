import { Button, Group } from '@mantine/core'
import { defineTexts, useTexts } from '../ui/texts.ts'

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
      <Button variant="default" size="xs" disabled={!onBefore} onClick={onBefore}>
        {t.before}
      </Button>
      <Button variant="default" size="xs" disabled={!onAfter} onClick={onAfter}>
        {t.after}
      </Button>
    </Group>
  )
}
