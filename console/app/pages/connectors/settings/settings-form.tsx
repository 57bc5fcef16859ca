import { Group, Stack } from '@mantine/core'
import { type Connector, changeConnector } from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { SettingFields, useSettings } from '../../../components/form/setting-fields.tsx'
import { Faint } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { updateConnectorForm } from '../../../generated/forms.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { useSettingGroups } from './setting-fields.ts'
import styles from './settings.module.css'

const texts = defineTexts({
  save: ['Save the changes', 'Änderungen speichern'],
  unchanged: ['Nothing is changed.', 'Nichts ist geändert.'],
})

type Props = {
  /** As it was when the change began. */
  readonly connector: Connector
  readonly onDone: () => void
}

/** Sends the changed fields alone. After a rejection the form keeps its input. */
export function SettingsForm({ connector, onDone }: Props) {
  const t = useTexts(texts)
  const { draft, isBusy, isDirty, errorBeside, submit } = useSettings({
    form: updateConnectorForm,
    stored: connector,
    send: (client, part) => changeConnector(client, connector.id, part),
  })
  const groups = useSettingGroups(connector, draft.typed)
  const fields = groups.map((group) => group.filter((field) => field !== false))
  const error = errorBeside(fields.flat())
  return (
    <Form onSubmit={() => submit(onDone)} noValidate>
      <div className={styles.form}>
        {fields.map((group) => (
          <Stack key={group[0]?.path} gap="xs">
            <SettingFields {...draft} fields={group} />
          </Stack>
        ))}
      </div>
      {error !== null && <Trouble error={error} />}
      <Group gap="xs" mt="md">
        <Action text={t.save} submit busy={isBusy} disabled={!isDirty} />
        <Action text={t.cancel} onClick={onDone} />
        <Faint inline>{isDirty ? '' : t.unchanged}</Faint>
      </Group>
    </Form>
  )
}
