import { Code, Text } from '@mantine/core'
import type { Problem } from '@millrace/client'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import styles from './marketplace.module.css'
import { findLine } from './pointers.ts'

const texts = defineTexts({
  whole: ['the whole file', 'die ganze Datei'],
  line: (line: number) => [`line ${line}`, `Zeile ${line}`],
})

type Props = {
  readonly label: string
  readonly problems: readonly Problem[]
  /** The document that they are about, for the lines; empty if it is not known. */
  readonly text?: string
}

/** Everything that is wrong with a document, each at its place. */
export function ProblemList({ label, problems, text = '' }: Props) {
  return (
    <ul className={styles.problems} aria-label={label}>
      {problems.map((problem) => (
        <li key={`${problem.pointer} ${problem.detail}`}>
          <Item problem={problem} text={text} />
        </li>
      ))}
    </ul>
  )
}

function Item({ problem: { pointer, detail }, text }: { problem: Problem; text: string }) {
  const t = useTexts(texts)
  const line = findLine(text, pointer)
  return (
    <>
      <Code>{pointer === '' ? t.whole : pointer}</Code>
      {line !== undefined && (
        <Text span size="sm" c="dimmed" ml="xs">
          {t.line(line.number)}
        </Text>
      )}
      <Text size="sm" dir="auto">
        {detail}
      </Text>
      {line !== undefined && <span className={styles.excerpt}>{line.text}</span>}
    </>
  )
}
