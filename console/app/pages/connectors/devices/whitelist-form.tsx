import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import { type IdentityPart, putDevice } from '../../../api/devices.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { fieldError } from '../../../ui/field-errors.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

type Props = {
  readonly connector: Connector
  /** Called with the identity that was whitelisted. */
  readonly onDone: (identity: string) => void
}

type Wanted = { readonly identity: string; readonly part: IdentityPart }

const endless = 'endless'
const texts = defineTexts({
  open: ['Whitelist an identity', 'Identität freigeben'],
  window: ['Window', 'Frist'],
  usual: ['the usual time to activate', 'übliche Frist zur Aktivierung'],
  endless: ['no deadline', 'ohne Frist'],
  add: ['Whitelist', 'Freigeben'],
})

/** The press that opened the form took its button away: the keys go on here. */
function focus(field: HTMLInputElement | null): void {
  field?.focus()
}

/** A form that whitelists an identity, behind a button that opens it. */
export function WhitelistForm({ connector, onDone }: Props) {
  const t = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const { isBusy, error, run, reset } = useChange<Wanted>((client, { identity, part }) =>
    putDevice(client, connector.id, identity, part),
  )
  if (!isOpen) {
    return <Action text={t.open} icon="plus" mb="xs" onClick={() => setOpen(true)} />
  }
  const atField = fieldError(error, 'identity')
  const close = () => {
    setOpen(false)
    reset()
  }
  const submit = (form: FormData) => {
    const identity = `${form.get('identity')}`
    const part = form.get('window') === endless ? { auth: { expire: null } } : {}
    run({ identity, part }, () => {
      close()
      onDone(identity)
    })
  }
  return (
    <Form onSubmit={submit}>
      <Group gap="xs" align="end" mb="xs">
        <TextInput
          label={t.identity}
          name="identity"
          size="xs"
          required
          withAsterisk={false}
          autoComplete="off"
          placeholder={connector.identity_format.prefix}
          ref={focus}
          error={atField}
        />
        <NativeSelect
          label={t.window}
          name="window"
          size="xs"
          data={[
            { value: '', label: t.usual },
            { value: endless, label: t.endless },
          ]}
        />
        <Action text={t.add} submit busy={isBusy} />
        <Action text={t.cancel} onClick={close} />
      </Group>
      {error !== null && atField === undefined && <Trouble error={error} />}
    </Form>
  )
}
