import { useQueryClient } from '@tanstack/react-query'
import type { Client } from '../../api/client.ts'
import type { Dependants } from '../../api/people/people.ts'
import { useChange } from '../../ui/change.ts'
import { useRead } from '../../ui/live-queries.ts'
import { Trouble } from '../trouble.tsx'
import { Confirm } from './confirm.tsx'
import { DependantsList } from './dependants-list.tsx'

type Props = {
  readonly id: string
  readonly title: string
  /** The text of the button that removes. */
  readonly action: string
  /** A description of the loss. */
  readonly loss: string
  readonly read: (client: Client, id: string, signal: AbortSignal) => Promise<Dependants[]>
  readonly remove: (client: Client, id: string, by: { confirm: string }) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is removed, and names what depends on it. */
export function RemoveDialog({ id, title, action, loss, read, remove, onClose }: Props) {
  const { isBusy, error, run } = useChange<string>((client, confirm) =>
    remove(client, id, { confirm }),
  )
  const queries = useQueryClient()
  const { data: dependants, error: unread } = useRead('removal', read, [id], {
    // A removed item has no dependants to read; they are read again after a refused removal.
    enabled: !isBusy,
  })
  const confirm = () => {
    // A read that is under way could find it gone.
    void queries.cancelQueries({ queryKey: ['removal', id] })
    run(id, onClose)
  }
  return (
    <Confirm opened onConfirm={confirm} onCancel={onClose} {...{ title, action, isBusy, error }}>
      {loss}
      {unread !== null && <Trouble error={unread} />}
      {dependants !== undefined && <DependantsList dependants={dependants} />}
    </Confirm>
  )
}
