import { Group, Stack } from '@mantine/core'
import { enums } from '@millrace/client'
import { useState } from 'react'
import { type Connector, changeConnector, type SettingsPart } from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Faint } from '../../../components/line.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { isAtField } from '../../../ui/field-errors.ts'
import { changedPart, draftOf, settingPaths } from '../../../ui/settings.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { ChoiceField, type Fields, LinesField, TextField, TickField } from './fields.tsx'
import { PkiFields } from './pki-fields.tsx'
import styles from './settings.module.css'
import { settingTexts } from './texts.ts'

const texts = defineTexts({
  save: ['Save the changes', 'Änderungen speichern'],
  cancel: ['Cancel', 'Abbrechen'],
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
  const before = draftOf(connector)
  const [draft, setDraft] = useState(before)
  const { isBusy, error, run } = useChange<SettingsPart>((client, part) =>
    changeConnector(client, connector.id, part),
  )
  const part = changedPart(before, draft)
  const set: Fields['set'] = (changed) => setDraft((now) => ({ ...now, ...changed }))
  const submit = () => {
    if (part !== undefined) run(part, onDone)
  }
  const fields = { draft, set, error }
  const isShown = isAtField(error, Object.values(settingPaths))
  return (
    <Form onSubmit={submit} noValidate>
      <div className={styles.form}>
        <NameFields {...fields} />
        <IdentityFields {...fields} />
        <AccessFields {...fields} />
        <PkiFields
          {...fields}
          hasKey={connector.provisioning.pki.vendor_options.api_key_set === true}
        />
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

function NameFields(fields: Fields) {
  const t = useTexts(settingTexts)
  return (
    <Stack gap="xs">
      <TextField {...fields} name="name" label={t.name} />
      <TextField {...fields} name="description" label={t.description} />
      <ChoiceField {...fields} name="protocol" label={t.protocol} choices={enums.ProtocolName} />
      <TickField {...fields} name="enabled" label={t.enabledTick} />
      <TickField {...fields} name="selfRegistration" label={t.selfRegistrationTick} />
      <TickField {...fields} name="devmode" label={t.devmodeTick} />
    </Stack>
  )
}

function IdentityFields(fields: Fields) {
  const t = useTexts(settingTexts)
  return (
    <Stack gap="xs">
      <ChoiceField
        {...fields}
        name="identityType"
        label={t.identityType}
        choices={enums.IdentityType}
      />
      <TextField {...fields} name="prefix" label={t.prefix} description={t.prefixHint} />
      <TextField
        {...fields}
        name="length"
        label={t.length}
        description={t.lengthHint}
        inputMode="numeric"
      />
      <ChoiceField {...fields} name="casing" label={t.casing} choices={enums.IdentityCasing} />
      <TextField {...fields} name="identitiesMax" label={t.identitiesMax} inputMode="numeric" />
      <TextField
        {...fields}
        name="registrationsPerMinute"
        label={t.registrationsPerMinute}
        inputMode="numeric"
      />
    </Stack>
  )
}

function AccessFields(fields: Fields) {
  const t = useTexts(settingTexts)
  return (
    <Stack gap="xs">
      <ChoiceField
        {...fields}
        name="authType"
        label={t.authType}
        description={t.authTypeHint}
        choices={enums.ConnectorAuthType}
      />
      <TickField {...fields} name="isRestricted" label={t.restrictionTick} />
      {fields.draft.isRestricted && (
        <LinesField {...fields} name="allowed" label={t.allowed} placeholder="10.0.0.0/8" />
      )}
      <ChoiceField
        {...fields}
        name="reprovision"
        label={t.reprovision}
        choices={enums.ReprovisionPolicy}
      />
      {fields.draft.reprovision === 'on_order' && (
        <ChoiceField
          {...fields}
          name="reprovisionData"
          label={t.reprovisionData}
          choices={enums.ReprovisionData}
        />
      )}
    </Stack>
  )
}
