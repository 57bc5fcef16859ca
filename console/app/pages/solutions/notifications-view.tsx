import { useNavigate, useParams } from '@tanstack/react-router'
import { listArrivals, listSolutions, type Solution } from '../../api/notifications.ts'
import { ArrivalList } from '../../components/arrival-list.tsx'
import { Choices } from '../../components/choices.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import styles from '../../components/panes.module.css'
import { listEveryMs, useLive } from '../../ui/live.ts'

const arrivalsShown = 50

/** The notifications in the local sink of each solution. */
export function NotificationsView() {
  const { solution: chosen } = useParams({ from: '/solutions/{-$solution}' })
  const navigate = useNavigate()
  const solutions = useLive({ key: ['solutions'], read: listSolutions, everyMs: listEveryMs })
  const solution = solutions.data?.find(({ id }) => id === chosen)
  const choose = (id: string) =>
    navigate({ to: '/solutions/{-$solution}', params: { solution: id } })
  return (
    <div className={`${styles.panes} ${styles.two}`}>
      <Pane title="Solutions" query={solutions}>
        {(all) => <SolutionList all={all} chosen={solution?.id} onChoose={choose} />}
      </Pane>
      {solution !== undefined && <SinkPane key={solution.id} solution={solution} />}
    </div>
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
