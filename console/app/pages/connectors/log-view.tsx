import { Chip, Group } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { enums } from '@millrace/client'
import { useEffect, useMemo, useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import type { LineType } from '../../api/logs.ts'
import { TextField } from '../../components/controls/fields.tsx'
import { FeedView } from '../../components/log/feed-view.tsx'
import { LogLines } from '../../components/log/log-lines.tsx'
import { LogFeed } from '../../ui/log-feed.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { LogRange } from './log-range.tsx'

const typingMs = 300

const texts = defineTexts({
  identity: ['Identity, in full', 'Identität, vollständig'],
  all: ['all devices', 'alle Geräte'],
  textHint: ['in the message or the values', 'in der Meldung oder den Werten'],
  types: ['Only lines of these types', 'Nur Zeilen dieser Arten'],
  noMatch: ['No line matches.', 'Keine Zeile passt.'],
  nothing: ['Nothing has happened here yet.', 'Hier ist noch nichts geschehen.'],
})

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
  const isFiltered = identity !== '' || types.length > 0 || text !== ''
  useEffect(() => {
    feed.start()
    return feed.stop
  }, [feed])
  return (
    <>
      <Group gap="xs" align="end" mb="xs">
        {of === undefined && (
          <TextField label={t.identity} placeholder={t.all} value={typed} onChange={setTyped} />
        )}
        <TextField label={t.text} placeholder={t.textHint} value={sought} onChange={setSought} />
      </Group>
      {only === undefined && <TypeFilter types={types} onChoose={setTypes} />}
      <LogRange connector={connector} filter={filter}>
        <FeedView feed={feed} nothing={isFiltered ? t.noMatch : t.nothing}>
          {(lines) => <LogLines lines={lines} />}
        </FeedView>
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
