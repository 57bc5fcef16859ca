import { getRouteApi } from '@tanstack/react-router'
import { findEndpoints } from '../../../api/endpoints.ts'
import type { Solution } from '../../../api/notifications.ts'
import { listScripts } from '../../../api/solutions.ts'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { useLive } from '../../../ui/live-queries.ts'
import { useTexts } from '../../../ui/texts.ts'
import { RequestForm } from './request-form.tsx'
import { SocketForm } from './socket-form.tsx'
import { endpointTexts } from './texts.ts'

const route = getRouteApi('/solutions/$solution/{-$view}')

/** The endpoints of a solution over HTTP and websockets, to be tried. */
export function EndpointsView({ solution: { id } }: { readonly solution: Solution }) {
  const t = useTexts(endpointTexts)
  const navigate = route.useNavigate()
  const { name } = route.useSearch()
  const endpoints = useLive(['endpoints', id], async (client, signal) =>
    findEndpoints(await listScripts(client, id, signal)),
  )
  const choose = (next: string) => navigate({ search: { name: next } })
  return (
    <ChoicePane
      title={t.title}
      query={endpoints}
      none={t.none}
      itemKey={(one) => one.name}
      chosen={name}
      onChoose={choose}
      of={(endpoint) => {
        const Form = endpoint.method === 'WEBSOCKET' ? SocketForm : RequestForm
        return [endpoint.name, <Form key={endpoint.name} {...{ solution: id, endpoint }} />]
      }}
    >
      {(one) => <span>{one.name}</span>}
    </ChoicePane>
  )
}
