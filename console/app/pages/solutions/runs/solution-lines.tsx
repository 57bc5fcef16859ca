import { memo } from 'react'
import type { SolutionLine } from '../../../api/solution-runs.ts'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Faint } from '../../../components/line.tsx'
import styles from '../../../components/log/log-lines.module.css'
import { When } from '../../../components/log/log-lines.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { keyOf } from '../../../ui/log-feed.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts(
  {
    lines: 'Lines, newest first',
    when: 'When',
    what: 'What',
    handler: 'Handler',
    message: 'Message',
    usage: (cpuMs: number, calls: number) => `${cpuMs} ms of CPU, ${calls} calls of services`,
  },
  {
    de: {
      lines: 'Zeilen, neueste zuerst',
      when: 'Wann',
      what: 'Was',
      handler: 'Handler',
      message: 'Meldung',
      usage: (cpuMs: number, calls: number) => `${cpuMs} ms CPU, ${calls} Aufrufe von Diensten`,
    },
  },
)

const tones: Readonly<Record<SolutionLine['level'], Tone>> = {
  debug: 'quiet',
  info: 'quiet',
  warn: 'care',
  error: 'bad',
}

type Props = { readonly lines: readonly SolutionLine[] }

/** Lines of a solution's log. No live region: screen readers could not keep up with a busy log. */
export function SolutionLines({ lines }: Props) {
  const t = useTexts(texts)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus
    <section className={styles.scroll} aria-label={t.lines} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.handler}</th>
            <th scope="col" className={styles.message}>
              {t.message}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row key={keyOf(line)} line={line} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Row = memo(({ line }: { readonly line: SolutionLine }) => {
  const t = useTexts(texts)
  const { timestamp, type, level, handler, text, trace = [], usage } = line
  return (
    <tr>
      <td>
        <When at={timestamp} />
      </td>
      <td>
        <Badge tone={tones[level]} icon={type === 'error' ? 'stop' : 'info'}>
          {type === 'log' ? level : type}
        </Badge>
      </td>
      <td>{handler}</td>
      <td>
        <LongText text={text} />
        {trace.map((step) => (
          <Faint key={step}>{step}</Faint>
        ))}
        {usage !== undefined && (
          <Faint>{t.usage(Math.round(usage.cpu_ms * 10) / 10, usage.service_calls)}</Faint>
        )}
      </td>
    </tr>
  )
})
