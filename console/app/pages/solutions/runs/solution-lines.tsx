import { memo } from 'react'
import type { SolutionLine } from '../../../api/solution-runs.ts'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Faint } from '../../../components/line.tsx'
import { LineTable } from '../../../components/log/line-table.tsx'
import { When } from '../../../components/log/log-lines.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { lineKey } from '../../../ui/log-feed.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  what: ['What', 'Was'],
  handler: ['Handler', 'Handler'],
  message: ['Message', 'Meldung'],
  usage: (cpuMs: number, calls: number) => [
    `${cpuMs} ms of CPU, ${calls} calls of services`,
    `${cpuMs} ms CPU, ${calls} Aufrufe von Diensten`,
  ],
})

const tones: Readonly<Record<SolutionLine['level'], Tone>> = {
  debug: 'quiet',
  info: 'quiet',
  warn: 'care',
  error: 'bad',
}

type Props = { readonly lines: readonly SolutionLine[] }

/** Lines of a solution's log. */
export function SolutionLines({ lines }: Props) {
  const t = useTexts(texts)
  return (
    <LineTable heads={[t.when, t.what, t.handler, t.message]} message={t.message}>
      {lines.map((line) => (
        <Row key={lineKey(line)} line={line} />
      ))}
    </LineTable>
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
        <Badge
          tone={tones[level]}
          icon={type === 'error' ? 'stop' : 'info'}
          text={type === 'log' ? level : type}
        />
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
