import { Button, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import { addConfiguration, listConfigurations } from '../../../api/solutions.ts'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Faint } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import panes from '../../../components/panes.module.css'
import { useChange } from '../../../ui/change.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { textOf } from '../../../ui/submit.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { ServiceForm } from './service-form.tsx'

const texts = defineTexts(
  {
    title: 'Services',
    none: 'The solution has no service yet. A connector gives it the events of its devices.',
    add: 'Add a service',
    service: 'Service',
    serviceAbout: 'The name of a service, or the id of a connector or of a solution.',
    serviceWanted: 'A service has 1 to 63 letters, digits and hyphens.',
    key: 'Name in scripts',
    keyAbout: 'Empty: the one that the service gives itself.',
  },
  {
    de: {
      title: 'Dienste',
      none: 'Die Lösung hat noch keinen Dienst. Ein Konnektor gibt ihr die Ereignisse der Geräte.',
      add: 'Dienst hinzufügen',
      service: 'Dienst',
      serviceAbout: 'Der Name eines Dienstes oder die Kennung eines Konnektors, einer Lösung.',
      serviceWanted: 'Ein Dienst hat 1 bis 63 Buchstaben, Ziffern und Bindestriche.',
      key: 'Name in Skripten',
      keyAbout: 'Leer: der Name, den der Dienst sich gibt.',
    },
  },
)

const route = getRouteApi('/solutions/$solution/{-$view}')

/** The services of a solution, and the settings of the chosen one. */
export function ServicesView({ solution: { id: solution } }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const { id } = route.useSearch()
  const [isAdding, setAdding] = useState(false)
  const services = useLive({
    key: ['services', solution],
    read: (client, signal) => listConfigurations(client, solution, signal),
    everyMs: listEveryMs,
  })
  const chosen = services.data?.find((one) => one.id === id)
  const choose = (next: string) =>
    navigate({
      to: '/solutions/$solution/{-$view}',
      params: { solution, view: 'services' },
      search: { id: next },
    })
  return (
    <div className={`${panes.panes} ${panes.two}`}>
      <ChoicePane
        title={t.title}
        query={services}
        aside={
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        }
        none={t.none}
        keyOf={(one) => one.id}
        chosen={chosen?.id}
        onChoose={choose}
      >
        {({ script_key: key, service }) => (
          <>
            <span>{key}</span>
            <Faint>{service}</Faint>
          </>
        )}
      </ChoicePane>
      {chosen !== undefined && (
        <Pane title={chosen.script_key} query={services}>
          {() => <ServiceForm key={chosen.id} solution={solution} stored={chosen} />}
        </Pane>
      )}
      {isAdding && (
        <NewServiceDialog {...{ solution }} onMade={choose} onClose={() => setAdding(false)} />
      )}
    </div>
  )
}

type NewProps = {
  readonly solution: string
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}

const serviceShape = /^[a-zA-Z0-9-]{1,63}$/

function NewServiceDialog({ solution, onMade, onClose }: NewProps) {
  const t = useTexts(texts)
  const [wrong, setWrong] = useState<string>()
  const add = useChange<Parameters<typeof addConfiguration>[2]>(async (client, wanted) => {
    const { id } = await addConfiguration(client, solution, wanted)
    onMade(id)
  })
  return (
    <FormDialog
      title={t.add}
      action={t.add}
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={(form) => {
        const service = textOf(form, 'service')
        const key = textOf(form, 'key')
        const isService = serviceShape.test(service)
        setWrong(isService ? undefined : t.serviceWanted)
        if (isService) add.run({ service, ...(key !== '' && { script_key: key }) }, onClose)
      }}
      onClose={onClose}
    >
      <TextInput
        name="service"
        label={t.service}
        description={t.serviceAbout}
        error={wrong}
        data-autofocus
      />
      <TextInput name="key" label={t.key} description={t.keyAbout} />
    </FormDialog>
  )
}
