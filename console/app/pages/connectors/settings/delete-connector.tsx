import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Connector, readDependants, removeConnector } from '../../../api/connectors.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { DependantsList } from '../../../components/dialogs/dependants-list.tsx'
import { Icon } from '../../../components/icon.tsx'
import { useChange } from '../../../ui/change.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts(
  {
    remove: 'Delete the connector',
    title: (name: string) => `Delete ${name}?`,
    action: 'Delete',
    lost: 'Its settings, credentials and values end with it. They cannot be restored.',
    confirm: (name: string) => `Type its name to confirm: ${name}`,
  },
  {
    de: {
      remove: 'Konnektor löschen',
      title: (name: string) => `${name} löschen?`,
      action: 'Löschen',
      lost:
        'Seine Einstellungen, Zugangsdaten und Werte werden gelöscht. Sie lassen sich nicht ' +
        'wiederherstellen.',
      confirm: (name: string) => `Zur Bestätigung den Namen eingeben: ${name}`,
    },
  },
)

/** A button that deletes a connector, after what depends on it was named. */
export function DeleteConnector({ connector }: { readonly connector: Connector }) {
  const t = useTexts(texts)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="bin" size={14} />}
        onClick={() => setAsking(true)}
      >
        {t.remove}
      </Button>
      {isAsking && <Question connector={connector} onClose={() => setAsking(false)} />}
    </>
  )
}

type QuestionProps = { readonly connector: Connector; readonly onClose: () => void }

function Question({ connector: { id, name }, onClose }: QuestionProps) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const preview = useLive({
    key: ['dependants', id],
    read: (client, signal) => readDependants(client, id, signal),
    everyMs: listEveryMs,
  })
  const { isBusy, error, run } = useChange<string>(async (client, confirm) => {
    await removeConnector(client, id, confirm)
    await navigate({ to: '/connectors' })
    queries.setQueryData<Connector[]>(['connectors'], (all) => all?.filter((one) => one.id !== id))
  })
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
      {t.lost}{' '}
      {preview.data !== undefined && <DependantsList dependants={preview.data.dependants} />}
      {isNeeded && (
        <TextInput
          label={t.confirm(name)}
          size="xs"
          mt="sm"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </Confirm>
  )
}
