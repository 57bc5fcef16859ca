import { useTimed } from '../ui/clock.ts'
import { useTexts } from '../ui/texts.ts'
import { ago, moment } from '../ui/words.ts'

type Props = {
  /** Microseconds since 1970; null for never. */
  readonly at: number | null
  readonly never?: string
}

/** The time since a moment; the moment itself on hovering. */
export function Age({ at, never }: Props) {
  const t = useTexts()
  const text = useTimed((nowUs) => (at === null ? (never ?? t.never) : ago(at, nowUs)))
  if (at === null) return <span>{text}</span>
  return (
    <time dateTime={new Date(at / 1_000).toISOString()} title={moment(at)}>
      {text}
    </time>
  )
}
