import { Button, Chip, Group, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { enums } from '@millrace/client'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Connector } from '../../api/connectors.ts'
import type { LineFilter, LineType } from '../../api/logs.ts'
import { FeedState } from '../../components/feed-state.tsx'
import { Icon } from '../../components/icon.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { LogLines } from '../../components/log-lines.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { isOutage } from '../../ui/errors.ts'
import { LogFeed, linesMax } from '../../ui/log-feed.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { LogRange } from './log-range.tsx'

const typingMs = 300

const texts = defineTexts(
  {
    identity: 'Identity, in full',
    all: 'all devices',
    text: 'Text',
    textHint: 'in the message or the values',
    types: 'Only lines of these types',
    noMatch: 'No line matches.',
    nothing: 'Nothing has happened here yet.',
    newest: (count: number) => `the newest ${count} lines`,
    lines: (count: number) => `${count} lines`,
    paused: (count: string) => `, paused: ${count} new`,
    many: (count: number) => `${count} or more`,
    again: 'Try again',
    resume: 'Resume',
    pause: 'Pause',
  },
  {
    de: {
      identity: 'Identität, vollständig',
      all: 'alle Geräte',
      text: 'Text',
      textHint: 'in der Meldung oder den Werten',
      types: 'Nur Zeilen dieser Arten',
      noMatch: 'Keine Zeile passt.',
      nothing: 'Hier ist noch nichts geschehen.',
      newest: (count: number) => `die neuesten ${count} Zeilen`,
      lines: (count: number) => `${count} Zeilen`,
      paused: (count: string) => `, angehalten: ${count} neue`,
      many: (count: number) => `${count} oder mehr`,
      again: 'Erneut versuchen',
      resume: 'Fortsetzen',
      pause: 'Anhalten',
    },
  },
)

type Props = {
  readonly connector: Connector
  /** The identity of the device that it is about; left out: all. */
  readonly of?: string
  /** Only lines of these types; left out: the reader chooses. */
  readonly only?: readonly LineType[]
}

/** The live log of a connector, or of one device. */
export function LogView({ connector, of, only }: Props) {
  const t = useTexts(texts)
  const { client } = useSignedIn()
  const [typed, setTyped] = useState('')
  const [sought, setSought] = useState('')
  const [typedIdentity] = useDebouncedValue(typed.trim(), typingMs)
  const [text] = useDebouncedValue(sought.trim(), typingMs)
  const [chosen, setTypes] = useState<readonly LineType[]>([])
  const identity = of ?? typedIdentity
  const types = only ?? chosen
  const filter = useMemo(() => ({ identity, types, text }), [identity, types, text])
  const feed = useMemo(
    () => new LogFeed(client, { connectorId: connector.id, filter }),
    [client, connector.id, filter],
  )
  useEffect(() => {
    feed.start()
    return feed.stop
  }, [feed])
  return (
    <>
      <Group gap="xs" align="end" mb="xs">
        {of === undefined && (
          <TextInput
            label={t.identity}
            placeholder={t.all}
            size="xs"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={t.text}
          placeholder={t.textHint}
          size="xs"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      </Group>
      {only === undefined && <TypeFilter types={types} onChoose={setTypes} />}
      <LogRange connector={connector} filter={filter}>
        <Shown feed={feed} filter={filter} />
      </LogRange>
    </>
  )
}

type TypeProps = {
  readonly types: readonly LineType[]
  readonly onChoose: (types: readonly LineType[]) => void
}

/** None chosen means all of them. */
function TypeFilter({ types, onChoose }: TypeProps) {
  const t = useTexts(texts)
  return (
    <Group gap={6} mb="sm" role="group" aria-label={t.types}>
      <Chip.Group
        multiple
        value={[...types]}
        onChange={(chosen) =>
          onChoose(enums.ConnectorLineType.filter((type) => chosen.includes(type)))
        }
      >
        {enums.ConnectorLineType.map((type) => (
          <Chip key={type} value={type} size="xs">
            {type}
          </Chip>
        ))}
      </Chip.Group>
    </Group>
  )
}

function Shown({ feed, filter }: { readonly feed: LogFeed; readonly filter: LineFilter }) {
  const t = useTexts(texts)
  const { state, problem, lines, paused, waiting, loaded } = useSyncExternalStore(
    feed.subscribe,
    feed.current,
  )
  const isFiltered = filter.identity !== '' || filter.types.length > 0 || filter.text !== ''
  return (
    <>
      <Line ends>
        <Line>
          <FeedState state={state} />
          <Faint>
            {lines.length >= linesMax ? t.newest(linesMax) : t.lines(lines.length)}
            {paused && t.paused(waiting >= linesMax ? t.many(linesMax) : `${waiting}`)}
          </Faint>
        </Line>
        <Line>
          {state === 'stopped' && (
            <Button variant="default" size="xs" onClick={feed.start}>
              {t.again}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name={paused ? 'play' : 'pause'} />}
            onClick={() => feed.setPaused(!paused)}
          >
            {paused ? t.resume : t.pause}
          </Button>
        </Line>
      </Line>
      {problem !== undefined && !isOutage(problem) && (
        <Trouble error={problem} isShown={lines.length > 0} />
      )}
      {lines.length > 0 && <LogLines lines={lines} />}
      {lines.length === 0 && loaded && <Faint>{isFiltered ? t.noMatch : t.nothing}</Faint>}
    </>
  )
}
