import { getRouteApi } from '@tanstack/react-router'
import { listNotifications, type Notification, type Solution } from '../../../api/notifications.ts'
import { Age } from '../../../components/age.tsx'
import { Badge } from '../../../components/badge.tsx'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import { DeliveriesPane, stateLooks } from './deliveries-pane.tsx'
import { sendTexts } from './texts.ts'

const sendsShown = 50
const route = getRouteApi('/solutions/$solution/{-$view}')

/** The notifications that a solution has sent, and the deliveries of the chosen one. */
export function SendsPanes({ solution: { id: solution, name } }: { readonly solution: Solution }) {
  const t = useTexts(sendTexts)
  const navigate = route.useNavigate()
  const { id: sid } = route.useSearch()
  const sends = useRead('sends', listNotifications, [solution, { limit: sendsShown }])
  const choose = (next: string) => navigate({ search: { id: next } })
  return (
    <ChoicePane
      title={t.sends}
      query={sends}
      none={t.noSends(name)}
      itemKey={(one) => one.sid}
      chosen={sid}
      onChoose={choose}
      beside={sid !== undefined && <DeliveriesPane key={sid} solution={solution} sid={sid} />}
    >
      {(one) => <Send send={one} />}
    </ChoicePane>
  )
}

function Send({ send }: { readonly send: Notification }) {
  const t = useTexts(sendTexts)
  const { title, body, accepted_at: at } = send
  return (
    <>
      <Line ends>
        <span>{title || body || t.noText}</span>
        <Faint inline>
          <Age at={at} />
        </Faint>
      </Line>
      <StateCounts states={send.states} />
    </>
  )
}

/** The number of deliveries in each state that has any. */
function StateCounts({ states }: Pick<Notification, 'states'>) {
  const t = useTexts(sendTexts)
  const language = useLanguage()
  const names = Object.keys(stateLooks) as (keyof typeof stateLooks)[]
  return (
    <Line>
      {names
        .filter((name) => states[name] > 0)
        .map((name) => (
          <Badge
            key={name}
            {...stateLooks[name]}
            text={`${states[name].toLocaleString(language)} ${t[name]}`}
          />
        ))}
    </Line>
  )
}
