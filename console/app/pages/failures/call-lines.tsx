import { Code, Title } from '@mantine/core'
import { listCallLines } from '../../api/failures.ts'
import { Faint } from '../../components/line.tsx'
import { LongText } from '../../components/long-text.tsx'
import { useRead } from '../../ui/live-queries.ts'
import { useTexts } from '../../ui/texts.ts'
import styles from './failures.module.css'
import { texts } from './texts.ts'

type Props = { readonly solution: string; readonly trackingId: string }

/** The lines that the solution logged for the call, with the place at which it failed. */
export function CallLines({ solution, trackingId }: Props) {
  const t = useTexts(texts)
  const { data: lines = [] } = useRead('call-lines', listCallLines, [solution, trackingId])
  if (lines.length === 0) return null
  return (
    <>
      <Title order={3} size="h6" mt="md" mb="xs">
        {t.lines}
      </Title>
      <ul className={styles.lines}>
        {lines.map(({ id, level, handler, text, trace }) => (
          <li key={id}>
            <Faint inline>
              {level} {handler}
            </Faint>{' '}
            <LongText text={text} />
            {trace !== undefined && (
              <Code block mt={4} aria-label={t.trace}>
                {trace.join('\n')}
              </Code>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
