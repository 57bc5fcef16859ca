import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { type Connector, changeConnector, type SettingsPart } from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { SettingFields } from '../../../components/form/setting-fields.tsx'
import { Faint } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { isAtField } from '../../../ui/field-errors.ts'
import { changedPart, connectorParsers, type Typed } from '../../../ui/settings.ts'
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
  const [typed, onType] = useState<Typed>({})
  const groups = useSettingGroups(connector, typed)
  const { isBusy, error, run } = useChange<SettingsPart>((client, part) =>
    changeConnector(client, connector.id, part),
  )
  const part = changedPart(connector, typed, connectorParsers)
  const submit = () => {
    if (part !== undefined) run(part, onDone)
  }
  const fields = groups.map((group) => group.filter((field) => field !== false))
  const isShown = isAtField(
    error,
    fields.flat().map(({ path }) => path),
  )
  return (
    <Form onSubmit={submit} noValidate>
      <div className={styles.form}>
        {fields.map((group) => (
          <Stack key={group[0]?.path} gap="xs">
            <SettingFields of={connector} fields={group} {...{ typed, onType, error }} />
          </Stack>
        ))}
      </div>
      {error !== null && !isShown && <Trouble error={error} />}
      <Group gap="xs" mt="md">
        <Action text={t.save} submit busy={isBusy} disabled={part === undefined} />
        <Action text={t.cancel} onClick={onDone} />
        <Faint inline>{part === undefined ? t.unchanged : ''}</Faint>
      </Group>
    </Form>
  )
}
