import { Button } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { isOutage } from '../../ui/errors.ts'
import { type Feed, linesMax } from '../../ui/log-feed.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { Action } from '../controls/action.tsx'
import { Icon } from '../icon.tsx'
import { Faint, Line } from '../line.tsx'
import { Trouble } from '../trouble.tsx'
import { FeedState } from './feed-state.tsx'

const texts = defineTexts({
  newest: (count: number) => [`the newest ${count} lines`, `die neuesten ${count} Zeilen`],
  lines: (count: number) => [`${count} lines`, `${count} Zeilen`],
  paused: (count: string) => [`, paused: ${count} new`, `, angehalten: ${count} neue`],
  many: (count: number) => [`${count} or more`, `${count} oder mehr`],
  again: ['Try again', 'Erneut versuchen'],
  resume: ['Resume', 'Fortsetzen'],
  pause: ['Pause', 'Anhalten'],
})

type Props<One> = {
  readonly feed: {
    readonly subscribe: (listener: () => void) => () => void
    readonly current: () => Feed<One>
    readonly start: () => void
    readonly setPaused: (paused: boolean) => void
  }
  /** Shown in the place of lines if there are none. */
  readonly nothing: string
  readonly children: (lines: Feed<One>['lines']) => ReactNode
}

/** A live log: whether new lines come, a pause, and the lines. */
export function FeedView<One>({ feed, nothing, children }: Props<One>) {
  const t = useTexts(texts)
  const { state, problem, lines, paused, waiting, loaded } = useSyncExternalStore(
    feed.subscribe,
    feed.current,
  )
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
          {state === 'stopped' && <Action text={t.again} onClick={feed.start} />}
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
      {lines.length > 0 && children(lines)}
      {lines.length === 0 && loaded && <Faint>{nothing}</Faint>}
    </>
  )
}
