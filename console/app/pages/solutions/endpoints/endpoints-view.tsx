import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { endpointsOf } from '../../../api/endpoints.ts'
import type { Solution } from '../../../api/notifications.ts'
import { listScripts } from '../../../api/solutions.ts'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { Pane } from '../../../components/pane.tsx'
import panes from '../../../components/panes.module.css'
import { useLive } from '../../../ui/live.ts'
import { useTexts } from '../../../ui/texts.ts'
import { RequestForm } from './request-form.tsx'
import { SocketForm } from './socket-form.tsx'
import { endpointTexts } from './texts.ts'

const route = getRouteApi('/solutions/$solution/{-$view}')

/** What a solution answers over HTTP and websockets, to be tried. */
export function EndpointsView({ solution: { id } }: { readonly solution: Solution }) {
  const t = useTexts(endpointTexts)
  const navigate = useNavigate()
  const { name } = route.useSearch()
  const endpoints = useLive(['endpoints', id], async (client, signal) =>
    endpointsOf(await listScripts(client, id, signal)),
  )
  const chosen = endpoints.data?.find((one) => one.name === name)
  const choose = (next: string) =>
    navigate({
      to: '/solutions/$solution/{-$view}',
      params: { solution: id, view: 'endpoints' },
      search: { name: next },
    })
  const Form = chosen?.method === 'WEBSOCKET' ? SocketForm : RequestForm
  return (
    <div className={`${panes.panes} ${panes.two}`}>
      <ChoicePane
        title={t.title}
        query={endpoints}
        none={t.none}
        keyOf={(one) => one.name}
        chosen={chosen?.name}
        onChoose={choose}
      >
        {(one) => <span>{one.name}</span>}
      </ChoicePane>
      {chosen !== undefined && (
        <Pane title={chosen.name} query={endpoints}>
          {() => <Form key={chosen.name} solution={id} endpoint={chosen} />}
        </Pane>
      )}
    </div>
  )
}
