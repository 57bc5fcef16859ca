import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import { listConfigurations } from '../../../api/solutions.ts'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { later } from '../../../components/dialogs/lazy-dialog.tsx'
import { Faint } from '../../../components/line.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { ServiceForm } from './service-form.tsx'

const NewServiceDialog = later(
  async () => (await import('./new-service-dialog.tsx')).NewServiceDialog,
)

const texts = defineTexts({
  title: ['Services', 'Dienste'],
  none: [
    'The solution has no service yet. A connector gives it the events of its devices.',
    'Die Lösung hat noch keinen Dienst. Ein Konnektor gibt ihr die Ereignisse der Geräte.',
  ],
  add: ['Add a service', 'Dienst hinzufügen'],
})

const route = getRouteApi('/solutions/$solution/{-$view}')

/** The services of a solution, and the settings of the chosen one. */
export function ServicesView({ solution: { id: solution } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const navigate = route.useNavigate()
  const { id } = route.useSearch()
  const [isAdding, setAdding] = useState(false)
  const services = useRead('services', listConfigurations, [solution])
  const choose = (next: string) => navigate({ search: { id: next } })
  return (
    <>
      <ChoicePane
        title={t.title}
        query={services}
        aside={<Action text={t.add} onClick={() => setAdding(true)} />}
        none={t.none}
        itemKey={(one) => one.id}
        chosen={id}
        onChoose={choose}
        of={(one) => [
          one.script_key,
          <ServiceForm key={one.id} solution={solution} stored={one} />,
        ]}
      >
        {({ script_key: key, service }) => (
          <>
            <span>{key}</span>
            <Faint>{service}</Faint>
          </>
        )}
      </ChoicePane>
      {isAdding && (
        <NewServiceDialog {...{ solution }} onMade={choose} onClose={() => setAdding(false)} />
      )}
    </>
  )
}
