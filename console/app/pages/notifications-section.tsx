import { Title } from '@mantine/core'
import { useCallback } from 'react'
import { listArrivals, listSolutions, type Solution } from '../api/notifications.ts'
import { ArrivalList } from '../components/arrival-list.tsx'
import { Choices } from '../components/choices.tsx'
import { Faint } from '../components/line.tsx'
import { NextStep } from '../components/next-step.tsx'
import { Pane } from '../components/pane.tsx'
import { listEveryMs, useLive } from '../ui/live.ts'
import { useSelection } from '../ui/selection.ts'
import { useDefault } from '../ui/use-default.ts'
import styles from './section.module.css'

const arrivalsShown = 50

/** The notifications in the local sink of each solution. */
export function NotificationsSection() {
  const [selection, choose] = useSelection()
  const solutions = useLive({ key: ['solutions'], read: listSolutions, everyMs: listEveryMs })
  const solution = solutions.data?.find(({ id }) => id === selection.solution)
  const chooseSolution = useCallback((id: string) => choose({ solution: id }), [choose])
  useDefault(solution?.id, solutions.data?.[0]?.id, chooseSolution)
  return (
    <section className={styles.section} aria-labelledby="notifications">
      <Title order={2} size="h4" id="notifications">
        Notifications
      </Title>
      <div className={`${styles.panes} ${styles.two}`}>
        <Pane title="Solutions" query={solutions}>
          {(all) => <SolutionList all={all} chosen={solution?.id} onChoose={chooseSolution} />}
        </Pane>
        {solution !== undefined && <SinkPane key={solution.id} solution={solution} />}
      </div>
    </section>
  )
}

type ListProps = {
  readonly all: readonly Solution[]
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

function SolutionList({ all, chosen, onChoose }: ListProps) {
  if (all.length === 0) {
    return (
      <NextStep command="npx millrace solution create --id alerts --name Alerts">
        There is no solution yet. Its scripts send notifications; this makes one:
      </NextStep>
    )
  }
  return (
    <Choices
      label="Solutions"
      items={all}
      keyOf={({ id }) => id}
      chosen={chosen}
      onChoose={onChoose}
    >
      {({ id, name }) => (
        <>
          <span>{name}</span>
          <Faint>{id}</Faint>
        </>
      )}
    </Choices>
  )
}

function SinkPane({ solution }: { readonly solution: Solution }) {
  const arrivals = useLive({
    key: ['arrivals', solution.id],
    read: (client, signal) => listArrivals(client, solution.id, arrivalsShown, signal),
    everyMs: listEveryMs,
  })
  return (
    <Pane
      title="Local sink"
      query={arrivals}
      aside={arrivals.data !== undefined && <Faint>{countOf(arrivals.data.length)}</Faint>}
    >
      {(found) =>
        found.length === 0 ? (
          <NextStep>
            Nothing has arrived here. What {solution.name} sends over a channel that has no provider
            is shown here, as its provider would have been given it.
          </NextStep>
        ) : (
          <ArrivalList arrivals={found} />
        )
      }
    </Pane>
  )
}

function countOf(count: number): string {
  return count === arrivalsShown ? `the newest ${count}` : `${count}`
}
