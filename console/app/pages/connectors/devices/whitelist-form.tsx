import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { Connector } from '../../../api/connectors.ts'
import { putDevice } from '../../../api/devices.ts'
import { Action } from '../../../components/controls/action.tsx'
import { FieldsForm } from '../../../components/form/fields-form.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

type Props = {
  readonly connector: Connector
  /** Called with the identity that was whitelisted. */
  readonly onDone: (identity: string) => void
}

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
  if (!isOpen) {
    return <Action text={t.open} icon="plus" mb="xs" onClick={() => setOpen(true)} />
  }
  return (
    <FieldsForm
      action={t.add}
      fields={[
        {
          name: 'identity',
          label: t.identity,
          required: true,
          withAsterisk: false,
          autoComplete: 'off',
          placeholder: connector.identity_format.prefix,
          ref: focus,
        },
        {
          name: 'window',
          as: NativeSelect,
          label: t.window,
          data: [
            { value: '', label: t.usual },
            { value: endless, label: t.endless },
          ],
        },
      ]}
      send={async (client, { identity, window }) => {
        const part = window === endless ? { auth: { expire: null } } : {}
        await putDevice(client, connector.id, identity, part)
        onDone(identity)
      }}
      onDone={() => setOpen(false)}
    >
      <Action text={t.cancel} onClick={() => setOpen(false)} />
    </FieldsForm>
  )
}
