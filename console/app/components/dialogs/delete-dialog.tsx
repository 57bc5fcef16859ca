import { useState } from 'react'
import type { Client } from '../../api/client.ts'
import type { DeletionPreview } from '../../api/connectors.ts'
import { useChange } from '../../ui/change.ts'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { TextField } from '../controls/fields.tsx'
import { Confirm } from './confirm.tsx'
import { DependantsList } from './dependants-list.tsx'

const texts = defineTexts({
  title: (name: string) => [`Delete ${name}?`, `${name} löschen?`],
  action: ['Delete', 'Löschen'],
  confirm: (name: string) => [
    `Type its name to confirm: ${name}`,
    `Zur Bestätigung den Namen eingeben: ${name}`,
  ],
})

type Props = {
  readonly id: string
  readonly name: string
  /** A description of the loss. */
  readonly lost: string
  readonly read: (client: Client, id: string, signal: AbortSignal) => Promise<DeletionPreview>
  readonly remove: (client: Client, confirm: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks before something is deleted: by its name, if anything depends on it. */
export function DeleteDialog({ id, name, lost, read, remove, onClose }: Props) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState('')
  const preview = useRead('dependants', read, [id])
  const { isBusy, error, run } = useChange<string>(remove)
  const isNeeded = (preview.data?.dependants.length ?? 0) > 0
  const mayConfirm = preview.data !== undefined && (!isNeeded || typed === name || typed === id)
  return (
    <Confirm
      opened
      title={t.title(name)}
      action={t.action}
      {...{ isBusy, mayConfirm, error: error ?? preview.error }}
      onCancel={onClose}
      onConfirm={() => run(isNeeded ? typed : id)}
    >
      {lost} {preview.data !== undefined && <DependantsList dependants={preview.data.dependants} />}
      {isNeeded && (
        <TextField
          label={t.confirm(name)}
          mt="sm"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      )}
    </Confirm>
  )
}
