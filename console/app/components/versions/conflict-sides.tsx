import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './conflict-sides.module.css'

const texts = defineTexts({
  theirs: ['What they changed', 'Dort geändert'],
  mine: ['What you changed', 'Von Ihnen geändert'],
  nothing: ['nothing', 'nichts'],
})

type Props = { readonly theirs: readonly string[]; readonly mine: readonly string[] }

/** The changes of two people, side by side, for the one who saved second. */
export function ConflictSides({ theirs, mine }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.sides}>
      <Side title={t.theirs} lines={theirs} />
      <Side title={t.mine} lines={mine} />
    </div>
  )
}

function Side({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  const t = useTexts(texts)
  return (
    <section aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {(lines.length === 0 ? [t.nothing] : lines).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two parts may have one name
          <li key={at}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
