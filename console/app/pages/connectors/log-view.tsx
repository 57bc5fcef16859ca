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

const typingMs = 300

/** The live log of a connector. */
export function LogView({ connector }: { readonly connector: Connector }) {
  const { client } = useSignedIn()
  const [typed, setTyped] = useState('')
  const [identity] = useDebouncedValue(typed.trim(), typingMs)
  const [types, setTypes] = useState<readonly LineType[]>([])
  const feed = useMemo(
    () => new LogFeed(client, { connectorId: connector.id, filter: { identity, types } }),
    [client, connector.id, identity, types],
  )
  useEffect(() => {
    feed.start()
    return feed.stop
  }, [feed])
  return (
    <>
      <IdentityFilter typed={typed} onType={setTyped} />
      <TypeFilter types={types} onChoose={setTypes} />
      <Shown feed={feed} filter={{ identity, types }} />
    </>
  )
}

type IdentityProps = { readonly typed: string; readonly onType: (text: string) => void }

function IdentityFilter({ typed, onType }: IdentityProps) {
  return (
    <Group gap="xs" align="end" mb="xs">
      <TextInput
        label="Identity, in full"
        placeholder="all devices"
        size="xs"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {typed !== '' && (
        <Button variant="default" size="xs" onClick={() => onType('')}>
          All devices
        </Button>
      )}
    </Group>
  )
}

type TypeProps = {
  readonly types: readonly LineType[]
  readonly onChoose: (types: readonly LineType[]) => void
}

/** None chosen means all of them. */
function TypeFilter({ types, onChoose }: TypeProps) {
  return (
    <Group gap={6} mb="sm" role="group" aria-label="Only lines of these types">
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
  const { state, problem, lines, paused, waiting, loaded } = useSyncExternalStore(
    feed.subscribe,
    feed.current,
  )
  const isFiltered = filter.identity !== '' || filter.types.length > 0
  const nothing = isFiltered ? 'No line matches.' : 'Nothing has happened at this connector yet.'
  return (
    <>
      <Line ends>
        <Line>
          <FeedState state={state} />
          <Faint>
            {lines.length >= linesMax ? `the newest ${linesMax} lines` : `${lines.length} lines`}
            {paused && `, paused: ${waiting >= linesMax ? `${linesMax} or more` : waiting} new`}
          </Faint>
        </Line>
        <Line>
          {state === 'stopped' && (
            <Button variant="default" size="xs" onClick={feed.start}>
              Try again
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name={paused ? 'play' : 'pause'} />}
            onClick={() => feed.setPaused(!paused)}
          >
            {paused ? 'Resume' : 'Pause'}
          </Button>
        </Line>
      </Line>
      {problem !== undefined && !isOutage(problem) && (
        <Trouble error={problem} isShown={lines.length > 0} />
      )}
      {lines.length > 0 && <LogLines lines={lines} />}
      {lines.length === 0 && loaded && <Faint>{nothing}</Faint>}
    </>
  )
}
