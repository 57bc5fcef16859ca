import { Button, Checkbox, Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import {
  authTypes,
  type Connector,
  changeConnector,
  identityCasings,
  identityTypes,
  reprovisionData,
  reprovisionPolicies,
  type SettingsPart,
} from '../api/connectors.ts'
import { Faint } from '../components/line.tsx'
import { Trouble } from '../components/trouble.tsx'
import { useChange } from '../ui/change.ts'
import { changedPart, draftOf, type SettingsDraft } from '../ui/settings.ts'
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

/** Sends what was changed and nothing else. A refusal leaves what was typed. */
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

type Typed = ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>

function NameFields({ draft, set }: Fields) {
  return (
    <div>
      <TextInput
        label="Name"
        size="xs"
        value={draft.name}
        onChange={(event: Typed) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        size="xs"
        mt="xs"
        value={draft.description}
        onChange={(event: Typed) => set({ description: event.currentTarget.value })}
      />
      <Checkbox
        label="Provisioning: devices may activate"
        size="xs"
        mt="sm"
        checked={draft.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
      <Checkbox
        label="Self-registration: devices bring an identity that nobody whitelisted"
        size="xs"
        mt="xs"
        checked={draft.selfRegistration}
        onChange={(event) => set({ selfRegistration: event.currentTarget.checked })}
      />
      <Checkbox
        label="Developer mode: devices may speak without encryption"
        size="xs"
        mt="xs"
        checked={draft.devmode}
        onChange={(event) => set({ devmode: event.currentTarget.checked })}
      />
    </div>
  )
}

function IdentityFields({ draft, set }: Fields) {
  return (
    <div>
      <NativeSelect
        label="Identity type"
        size="xs"
        data={[...identityTypes]}
        value={draft.identityType}
        onChange={(event) => set({ identityType: chosen(identityTypes, event) })}
      />
      <TextInput
        label="Prefix of each identity"
        size="xs"
        mt="xs"
        value={draft.prefix}
        onChange={(event: Typed) => set({ prefix: event.currentTarget.value })}
      />
      <TextInput
        label="Characters after the prefix"
        placeholder="any number"
        inputMode="numeric"
        size="xs"
        mt="xs"
        value={draft.length}
        onChange={(event: Typed) => set({ length: event.currentTarget.value })}
      />
      <NativeSelect
        label="Letters"
        size="xs"
        mt="xs"
        data={[...identityCasings]}
        value={draft.casing}
        onChange={(event) => set({ casing: chosen(identityCasings, event) })}
      />
    </div>
  )
}

function AccessFields({ draft, set }: Fields) {
  return (
    <div>
      <NativeSelect
        label="Authentication method"
        description="Devices that are provisioned keep theirs."
        size="xs"
        data={[...authTypes]}
        value={draft.authType}
        onChange={(event) => set({ authType: chosen(authTypes, event) })}
      />
      <Checkbox
        label="Devices are provisioned only from these addresses"
        size="xs"
        mt="sm"
        checked={draft.isRestricted}
        onChange={(event) => set({ isRestricted: event.currentTarget.checked })}
      />
      <Textarea
        label="Addresses and ranges, one a line"
        placeholder="10.0.0.0/8"
        size="xs"
        mt="xs"
        autosize
        minRows={2}
        maxRows={8}
        value={draft.allowed}
        onChange={(event: Typed) => set({ allowed: event.currentTarget.value })}
      />
      <NativeSelect
        label="Provisioning a device again"
        size="xs"
        mt="xs"
        data={[...reprovisionPolicies]}
        value={draft.reprovision}
        onChange={(event) => set({ reprovision: chosen(reprovisionPolicies, event) })}
      />
      <NativeSelect
        label="Values of a device that is provisioned again"
        size="xs"
        mt="xs"
        data={[...reprovisionData]}
        value={draft.reprovisionData}
        onChange={(event) => set({ reprovisionData: chosen(reprovisionData, event) })}
      />
    </div>
  )
}

function chosen<Choice extends string>(choices: readonly Choice[], event: Typed): Choice {
  const found = choices.find((choice) => choice === event.currentTarget.value)
  if (found === undefined) throw new Error('a choice that was not offered')
  return found
}
