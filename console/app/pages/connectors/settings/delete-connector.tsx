import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Client } from '../../../api/client.ts'
import { type Connector, readDependants, removeConnector } from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { DeleteDialog } from '../../../components/dialogs/delete-dialog.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  remove: ['Delete the connector', 'Konnektor löschen'],
  lost: [
    'Its settings, credentials and values end with it. They cannot be restored.',
    'Seine Einstellungen, Zugangsdaten und Werte werden gelöscht. Sie lassen sich nicht ' +
      'wiederherstellen.',
  ],
})

/** A button that deletes a connector, after what depends on it was named. */
export function DeleteConnector({ connector }: { readonly connector: Connector }) {
  const t = useTexts(texts)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Action text={t.remove} icon="bin" onClick={() => setAsking(true)} />
      {isAsking && <Question connector={connector} onClose={() => setAsking(false)} />}
    </>
  )
}

type QuestionProps = { readonly connector: Connector; readonly onClose: () => void }

function Question({ connector: { id, name }, onClose }: QuestionProps) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = async (client: Client, confirm: string) => {
    await removeConnector(client, id, { confirm })
    await navigate({ to: '/connectors' })
    queries.setQueryData<Connector[]>(['connectors'], (all) => all?.filter((one) => one.id !== id))
  }
  return <DeleteDialog {...{ id, name, lost: t.lost, read: readDependants, remove, onClose }} />
}
