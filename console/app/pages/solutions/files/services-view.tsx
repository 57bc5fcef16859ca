import { Button, Group, Stack, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Solution } from '../../../api/notifications.ts'
import {
  addConfiguration,
  changeConfiguration,
  listConfigurations,
  removeConfiguration,
  type ServiceConfiguration,
  type ServiceSettings,
} from '../../../api/solutions.ts'
import { ChoicePane } from '../../../components/choice-pane.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { JsonField, parseJson, shownJson } from '../../../components/json-field.tsx'
import { Faint } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import panes from '../../../components/panes.module.css'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { textOf } from '../../../ui/submit.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { ConfirmedButton } from '../confirmed-button.tsx'
import { LeaveGuard } from '../leave-guard.tsx'

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
    parameters: 'Settings (JSON)',
    triggers: 'Settings by event (JSON)',
    save: 'Save',
    unsaved: 'Not saved yet.',
    remove: 'Remove',
    removeTitle: (name: string) => `Remove the service ${name}?`,
    lost: 'Its settings are lost, and its events come no longer. Handlers stay.',
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
      parameters: 'Einstellungen (JSON)',
      triggers: 'Einstellungen je Ereignis (JSON)',
      save: 'Speichern',
      unsaved: 'Noch nicht gespeichert.',
      remove: 'Entfernen',
      removeTitle: (name: string) => `Dienst ${name} entfernen?`,
      lost: 'Seine Einstellungen gehen verloren, seine Ereignisse bleiben aus; Handler bleiben.',
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
          {() => <SettingsForm key={chosen.id} solution={solution} stored={chosen} />}
        </Pane>
      )}
      {isAdding && (
        <NewServiceDialog {...{ solution }} onMade={choose} onClose={() => setAdding(false)} />
      )}
    </div>
  )
}

type FormProps = { readonly solution: string; readonly stored: ServiceConfiguration }

function SettingsForm({ solution, stored }: FormProps) {
  const t = useTexts(texts)
  const { id, script_key: key } = stored
  const [base, setBase] = useState({
    parameters: shownJson(stored.parameters),
    triggers: shownJson(stored.triggers),
  })
  const [draft, setDraft] = useState(base)
  const isDirty = draft.parameters !== base.parameters || draft.triggers !== base.triggers
  const parameters = { value: undefined, ...parseJson(draft.parameters) }
  const triggers = { value: undefined, ...parseJson(draft.triggers) }
  const isWrong = parameters.problem !== undefined || triggers.problem !== undefined
  const save = useChange<ServiceSettings>((client, wanted) =>
    changeConfiguration(client, solution, id, wanted),
  )
  const remove = useChange<void>((client) => removeConfiguration(client, solution, id))
  const wanted = { parameters: parameters.value, triggers: triggers.value } as ServiceSettings
  return (
    <Stack gap="sm">
      <JsonField
        label={t.parameters}
        text={draft.parameters}
        onChange={(text) => setDraft((now) => ({ ...now, parameters: text }))}
      />
      <JsonField
        label={t.triggers}
        text={draft.triggers}
        onChange={(text) => setDraft((now) => ({ ...now, triggers: text }))}
      />
      {save.error !== null && <Trouble error={save.error} />}
      <Group gap="xs">
        <Button
          size="xs"
          loading={save.isBusy}
          disabled={!isDirty || isWrong}
          onClick={() => save.run(wanted, () => setBase(draft))}
        >
          {t.save}
        </Button>
        <ConfirmedButton
          action={t.remove}
          title={t.removeTitle(key)}
          lost={t.lost}
          change={remove}
        />
        {isDirty && <Faint inline>{t.unsaved}</Faint>}
      </Group>
      <LeaveGuard isDirty={isDirty} />
    </Stack>
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
