import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { enums } from '@millrace/client'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { type Connector, changeConnector, type SettingsPart } from '../../api/connectors.ts'
import { Faint } from '../../components/line.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { changedPart, draftOf, type SettingsDraft } from '../../ui/settings.ts'
import styles from './settings.module.css'

type Props = {
  /** As it was when the change began. */
  readonly connector: Connector
  readonly onDone: () => void
}

type Fields = {
  readonly draft: SettingsDraft
  readonly set: (part: Partial<SettingsDraft>) => void
}

/** Sends the changed fields alone. After a rejection the form keeps its input. */
export function SettingsForm({ connector, onDone }: Props) {
  const before = draftOf(connector)
  const [draft, setDraft] = useState(before)
  const { isBusy, error, run } = useChange<SettingsPart>((client, part) =>
    changeConnector(client, connector.id, part),
  )
  const part = changedPart(before, draft)
  const set: Fields['set'] = (changed) => setDraft((now) => ({ ...now, ...changed }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (part !== undefined) run(part, onDone)
  }
  return (
    <form onSubmit={submit}>
      <div className={styles.form}>
        <NameFields {...{ draft, set }} />
        <IdentityFields {...{ draft, set }} />
        <AccessFields {...{ draft, set }} />
      </div>
      {error !== null && <Trouble error={error} />}
      <Group gap="xs" mt="md">
        <Button type="submit" size="xs" loading={isBusy} disabled={part === undefined}>
          Save what was changed
        </Button>
        <Button variant="default" size="xs" onClick={onDone}>
          Cancel
        </Button>
        <Faint inline>{part === undefined ? 'Nothing is changed.' : ''}</Faint>
      </Group>
    </form>
  )
}

function NameFields(fields: Fields) {
  return (
    <Stack gap="xs">
      <TextOf {...fields} name="name" label="Name" />
      <TextOf {...fields} name="description" label="Description" />
      <TickOf {...fields} name="enabled" label="Provisioning: devices may activate" />
      <TickOf
        {...fields}
        name="selfRegistration"
        label="Self-registration: devices bring an identity that nobody whitelisted"
      />
      <TickOf
        {...fields}
        name="devmode"
        label="Developer mode: devices may speak without encryption"
      />
    </Stack>
  )
}

function IdentityFields(fields: Fields) {
  return (
    <Stack gap="xs">
      <ChoiceOf
        {...fields}
        name="identityType"
        label="Identity type"
        choices={enums.IdentityType}
      />
      <TextOf {...fields} name="prefix" label="Prefix of each identity" />
      <TextOf
        {...fields}
        name="length"
        label="Characters after the prefix"
        placeholder="any number"
        inputMode="numeric"
      />
      <ChoiceOf {...fields} name="casing" label="Letters" choices={enums.IdentityCasing} />
      <TextOf {...fields} name="identitiesMax" label="Identities at most" inputMode="numeric" />
      <TextOf
        {...fields}
        name="registrationsPerMinute"
        label="Self-registrations a minute from one address"
        inputMode="numeric"
      />
    </Stack>
  )
}

function AccessFields(fields: Fields) {
  const { draft, set } = fields
  return (
    <Stack gap="xs">
      <ChoiceOf
        {...fields}
        name="authType"
        label="Authentication method"
        description="Devices that are provisioned keep theirs."
        choices={enums.ConnectorAuthType}
      />
      <TickOf
        {...fields}
        name="isRestricted"
        label="Devices are provisioned only from these addresses"
      />
      <Textarea
        label="Addresses and ranges, one a line"
        placeholder="10.0.0.0/8"
        size="xs"
        autosize
        minRows={2}
        maxRows={8}
        value={draft.allowed}
        onChange={(event) => set({ allowed: event.currentTarget.value })}
      />
      <ChoiceOf
        {...fields}
        name="reprovision"
        label="Provisioning a device again"
        choices={enums.ReprovisionPolicy}
      />
      <ChoiceOf
        {...fields}
        name="reprovisionData"
        label="Values of a device that is provisioned again"
        choices={enums.ReprovisionData}
      />
    </Stack>
  )
}

type TextName =
  | 'name'
  | 'description'
  | 'prefix'
  | 'length'
  | 'identitiesMax'
  | 'registrationsPerMinute'
type TextProps = Fields & Omit<TextInputProps, 'name'> & { readonly name: TextName }

function TextOf({ draft, set, name, ...rest }: TextProps) {
  return (
    <TextInput
      {...rest}
      size="xs"
      value={draft[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
}

type TickProps = Fields & {
  readonly name: 'enabled' | 'selfRegistration' | 'devmode' | 'isRestricted'
  readonly label: string
}

function TickOf({ draft, set, name, label }: TickProps) {
  return (
    <Checkbox
      label={label}
      size="xs"
      checked={draft[name]}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  )
}

type ChoiceName = 'identityType' | 'casing' | 'authType' | 'reprovision' | 'reprovisionData'
type ChoiceProps<Name extends ChoiceName> = Fields & {
  readonly name: Name
  readonly label: string
  readonly description?: string
  readonly choices: readonly SettingsDraft[Name][]
}

function ChoiceOf<Name extends ChoiceName>(props: ChoiceProps<Name>) {
  const { draft, set, name, choices, ...rest } = props
  const choose = ({ currentTarget: { value } }: ChangeEvent<HTMLSelectElement>) => {
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) throw new Error('a choice that was not offered')
    set({ [name]: chosen })
  }
  return (
    <NativeSelect {...rest} size="xs" data={[...choices]} value={draft[name]} onChange={choose} />
  )
}
