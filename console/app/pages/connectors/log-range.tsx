import { Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import { type Line, type LineFilter, linesBetween } from '../../api/logs.ts'
import { Action } from '../../components/controls/action.tsx'
import { TextField } from '../../components/controls/fields.tsx'
import { Faint } from '../../components/line.tsx'
import { LogLines } from '../../components/log/log-lines.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { formatCsv, saveFile } from '../../ui/files.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  show: ['Show the lines of this time', 'Zeilen dieser Zeit zeigen'],
  download: ['Download as CSV', 'Als CSV herunterladen'],
  live: ['Back to the live log', 'Zurück zum laufenden Protokoll'],
  found: (count: number) => [`${count} lines of this time`, `${count} Zeilen dieser Zeit`],
  more: (count: number) => [
    `the newest ${count} lines of this time; narrow it for others`,
    `die neuesten ${count} Zeilen dieser Zeit; engen Sie sie ein`,
  ],
})

/** So many lines are shown of a time. */
const shownMax = 500
/** So many lines go into a file. */
const savedMax = 50_000

type Props = {
  readonly connector: Connector
  readonly filter: LineFilter
  /** The live log. */
  readonly children: ReactNode
}

/** The lines of a time, shown in the place of the live log, or saved as a file. */
export function LogRange({ connector, filter, children }: Props) {
  const t = useTexts(texts)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [found, setFound] = useState<readonly Line[]>()
  const read = (linesMax: number, use: (lines: readonly Line[]) => void) => ({ linesMax, use })
  const { isBusy, error, run } = useChange<ReturnType<typeof read>>(
    async (client, { linesMax, use }) => {
      const range = { from: parseMicros(from), to: parseMicros(to), linesMax }
      use(await linesBetween(client, connector.id, filter, range))
    },
  )
  const save = (lines: readonly Line[]) =>
    saveFile(`${connector.id}-log.csv`, 'text/csv', formatCsv(columns, lines.map(toRow)))
  const isRange = from !== '' || to !== ''
  return (
    <>
      <Group gap="xs" align="end" mb="sm">
        <Time label={t.from} value={from} onChange={setFrom} />
        <Time label={t.to} value={to} onChange={setTo} />
        {isRange && (
          <Action text={t.show} busy={isBusy} onClick={() => run(read(shownMax, setFound))} />
        )}
        <Action
          text={t.download}
          icon="download"
          busy={isBusy}
          onClick={() => run(read(savedMax, save))}
        />
        {found !== undefined && <Action text={t.live} onClick={() => setFound(undefined)} />}
      </Group>
      {error !== null && <Trouble error={error} />}
      {found === undefined ? (
        children
      ) : (
        <div role="status">
          <Faint>{found.length < shownMax ? t.found(found.length) : t.more(found.length)}</Faint>
          {found.length > 0 && <LogLines lines={found} />}
        </div>
      )}
    </>
  )
}

type TimeProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Time({ label, value, onChange }: TimeProps) {
  return <TextField type="datetime-local" label={label} value={value} onChange={onChange} />
}

/** A time of a field, in the zone of the browser; undefined for none. */
function parseMicros(text: string): number | undefined {
  return text === '' ? undefined : new Date(text).getTime() * 1_000
}

const columns = [
  'time',
  'type',
  'severity',
  'identity',
  'address',
  'protocol',
  'code',
  'message',
  'count',
] as const

function toRow({ timestamp, type, severity, identity, ip, protocol, code, ...line }: Line) {
  const time = new Date(timestamp / 1_000).toISOString()
  const { message, count } = line
  return [time, type, severity, identity ?? '', ip, protocol, code ?? '', message, `${count}`]
}
