import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Client } from '../../api/client.ts'
import { listSolutions, type Solution } from '../../api/notifications.ts'
import { deleteSolution, readSolutionDependants } from '../../api/solutions.ts'
import { Action } from '../../components/controls/action.tsx'
import { DeleteDialog } from '../../components/dialogs/delete-dialog.tsx'
import { Faint } from '../../components/line.tsx'
import { Absent } from '../../components/missing-value.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Views } from '../../components/views.tsx'
import { useLive } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { ago } from '../../ui/words.ts'
import { EndpointsView } from './endpoints/endpoints-view.tsx'
import { StaticView } from './files/static-view.tsx'
import { InterfaceView } from './interface/interface-view.tsx'
import { NotificationsView } from './notifications/notifications-view.tsx'
import { FailuresView } from './runs/failures-view.tsx'
import { SolutionLogView } from './runs/solution-log-view.tsx'
import { ScriptsView } from './scripts/scripts-view.tsx'
import { ServicesView } from './services/services-view.tsx'
import { SettingsView } from './settings/settings-view.tsx'

const texts = defineTexts({
  views: ['Of the solution', 'Zur Lösung'],
  scripts: ['Scripts', 'Skripte'],
  failures: ['Failures', 'Fehlschläge'],
  notifications: ['Notifications', 'Benachrichtigungen'],
  services: ['Services', 'Dienste'],
  interface: ['Interface', 'Schnittstelle'],
  endpoints: ['Endpoints', 'Endpunkte'],
  static: ['Static files', 'Statische Dateien'],
  gone: ['There is no such solution.', 'Diese Lösung gibt es nicht.'],
  behind: (pending: number, time: string) => [
    `The scripts are slower than the devices: ${pending} events wait, the oldest came ${time}.`,
    `Die Skripte sind langsamer als die Geräte: ${pending} Ereignisse warten, ` +
      `das älteste kam ${time}.`,
  ],
  remove: ['Delete', 'Löschen'],
  lost: [
    'Its scripts, services, static files, keys and failures are lost, and what it does for ' +
      'devices ends. Solutions that have it as a service lose that service.',
    'Ihre Skripte, Dienste, statischen Dateien, Schlüssel und Fehlschläge gehen verloren, und ' +
      'was sie für Geräte tut, endet. Lösungen, die sie als Dienst haben, verlieren ihn.',
  ],
})

const views = {
  scripts: ScriptsView,
  log: SolutionLogView,
  failures: FailuresView,
  notifications: NotificationsView,
  services: ServicesView,
  interface: InterfaceView,
  endpoints: EndpointsView,
  static: StaticView,
  settings: SettingsView,
} as const

const route = getRouteApi('/solutions/$solution/{-$view}')

/** A solution: its scripts and what became of their runs, its services and its files. */
export function SolutionPage() {
  const t = useTexts(texts)
  const { solution: id } = route.useParams()
  const solutions = useLive(['solutions'], listSolutions)
  const solution = solutions.data?.find((one) => one.id === id)
  if (solution === undefined) return <Absent title={id} query={solutions} gone={t.gone} />
  return (
    <>
      <PageHead title={solution.name}>
        <Faint inline>{id}</Faint>
        <RemoveButton solution={solution} />
      </PageHead>
      {solution.behind && (
        <Faint>
          {t.behind(solution.behind.pending, ago(solution.behind.oldest_at, Date.now() * 1_000))}
        </Faint>
      )}
      <Views titles={t} views={views} of={{ solution }} />
    </>
  )
}

function RemoveButton({ solution: { id, name } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = async (client: Client, confirm: string) => {
    await deleteSolution(client, id, { confirm })
    await navigate({ to: '/solutions', ignoreBlocker: true })
  }
  const onClose = () => setAsking(false)
  return (
    <>
      <Action text={t.remove} onClick={() => setAsking(true)} />
      {isAsking && (
        <DeleteDialog
          {...{ id, name, lost: t.lost, read: readSolutionDependants, remove, onClose }}
        />
      )}
    </>
  )
}
