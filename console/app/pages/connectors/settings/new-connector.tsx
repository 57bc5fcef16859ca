import { Button, Checkbox, Group, NativeSelect, Paper, Stack, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { createConnector, type NewConnector as Wanted } from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { fieldError, isAtField } from '../../../ui/field-errors.ts'
import { textOf } from '../../../ui/submit.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from './settings.module.css'
import { settingTexts } from './texts.ts'

const texts = defineTexts({
  id: ['Host label', 'Host-Name'],
  idHint: [
    'The first part of its host: lower-case letters, digits, dashes. Empty for a new one.',
    'Der erste Teil seines Hosts: Kleinbuchstaben, Ziffern, Bindestriche. Leer: ein neuer.',
  ],
  create: ['Create the connector', 'Konnektor anlegen'],
  cancel: ['Cancel', 'Abbrechen'],
})

/** The form of a new connector; the rest of its settings have their own page. */
export function NewConnector() {
  const t = useTexts(texts)
  const s = useTexts(settingTexts)
  const navigate = useNavigate()
  const { isBusy, error, run } = useChange<Wanted>(async (client, wanted) => {
    const { id } = await createConnector(client, wanted)
    await navigate({ to: '/connectors/$connector/{-$view}', params: { connector: id } })
  })
  const submit = (fields: FormData) => run(wantedIn(fields))
  const isTaken = error !== null && 'code' in error && error.code === 'already_exists'
  const idError = isTaken ? error.message : fieldError(error, 'id')
  return (
    <Paper withBorder p="md" className={styles.card}>
      <Form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label={s.name}
            name="name"
            data-autofocus
            required
            withAsterisk={false}
            error={fieldError(error, 'name')}
          />
          <TextInput label={t.id} description={t.idHint} name="id" error={idError} />
          <NativeSelect label={s.protocol} name="protocol" data={['http', 'mqtt']} />
          <Checkbox label={s.selfRegistrationTick} name="selfRegistration" />
          <Checkbox label={s.devmodeTick} name="devmode" />
        </Stack>
        {error !== null && !isTaken && !isAtField(error, ['name', 'id']) && (
          <Trouble error={error} />
        )}
        <Group gap="xs" mt="md">
          <Action text={t.create} submit busy={isBusy} />
          <Button component={Link} to="/connectors" size="xs" variant="default">
            {t.cancel}
          </Button>
        </Group>
      </Form>
    </Paper>
  )
}

function wantedIn(form: FormData): Wanted {
  const id = textOf(form, 'id')
  const isOn = (name: string) => form.get(name) !== null
  return {
    ...(id !== '' && { id }),
    name: textOf(form, 'name'),
    protocol: {
      name: form.get('protocol') === 'mqtt' ? 'mqtt' : 'http',
      devmode: isOn('devmode'),
    },
    provisioning: { generate_identity: isOn('selfRegistration') },
  }
}
