import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Connector } from '../../api/connectors.ts'
import { type IdentityPart, putDevice } from '../../api/devices.ts'
import { Icon } from '../../components/icon.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'

type Props = {
  readonly connector: Connector
  /** Called with the identity that was whitelisted. */
  readonly onDone: (identity: string) => void
}

type Wanted = { readonly identity: string; readonly part: IdentityPart }

const usual = 'the usual time to activate'
const endless = 'no deadline'

/** The press that opened the form took its button away: the keys go on here. */
function focus(field: HTMLInputElement | null): void {
  field?.focus()
}

/** A form that whitelists an identity, behind a button that opens it. */
export function WhitelistForm({ connector, onDone }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { isBusy, error, run, reset } = useChange<Wanted>((client, { identity, part }) =>
    putDevice(client, connector.id, identity, part),
  )
  if (!isOpen) {
    return (
      <Button
        variant="default"
        size="xs"
        mb="xs"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setOpen(true)}
      >
        Whitelist an identity
      </Button>
    )
  }
  const close = () => {
    setOpen(false)
    reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const identity = `${form.get('identity')}`
    const part = form.get('window') === endless ? { auth: { expire: null } } : {}
    run({ identity, part }, () => {
      close()
      onDone(identity)
    })
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="end" mb="xs">
        <TextInput
          label="Identity"
          name="identity"
          size="xs"
          required
          withAsterisk={false}
          autoComplete="off"
          placeholder={connector.identity_format.prefix}
          ref={focus}
        />
        <NativeSelect label="Window" name="window" size="xs" data={[usual, endless]} />
        <Button type="submit" size="xs" loading={isBusy}>
          Whitelist
        </Button>
        <Button variant="default" size="xs" onClick={close}>
          Cancel
        </Button>
      </Group>
      {error !== null && <Trouble error={error} />}
    </form>
  )
}
