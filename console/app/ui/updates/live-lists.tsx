import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ChangeTopic } from '../../api/people/changes.ts'
import { useSignedIn } from '../session.tsx'
import { type ChangedTopics, ChangeStream, PacedReads } from './change-stream.ts'
import { topicsOf, UpdatesContext } from './topics.ts'

/** Reads the lists that are shown again when what they show has changed on the server. */
export function LiveLists({ children }: { readonly children: ReactNode }) {
  const { client, caller } = useSignedIn()
  const queries = useQueryClient()
  const [covered, setCovered] = useState<readonly ChangeTopic[]>([])
  const { subject, business, groups, permissions } = caller
  // The server ends the stream of who may see more by now, or less: it is opened again.
  const rights = JSON.stringify([groups, permissions])
  const name = `millrace.changes.${business.id}.${subject}.${rights}`
  useEffect(() => {
    const read = (topics: ChangedTopics) => {
      const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
        isAbout(topicsOf(queryKey), topics)
      for (const { state, promise, queryKey } of queries.getQueryCache().findAll({ predicate })) {
        // A first read is not begun again: what it finds may be from before the change.
        if (state.data === undefined)
          promise?.then(
            () => queries.invalidateQueries({ queryKey }),
            () => {},
          )
      }
      queries.invalidateQueries({ predicate })
    }
    const reading = new PacedReads(read, () => queries.isMutating() > 0)
    const onChange = (topics: ChangedTopics) => reading.add(topics)
    const stream = new ChangeStream({ client, name, onChange, onCover: setCovered })
    return () => {
      stream.close()
      reading.end()
      setCovered([])
    }
  }, [client, name, queries])
  return <UpdatesContext value={covered}>{children}</UpdatesContext>
}

function isAbout(own: readonly ChangeTopic[], changed: ChangedTopics): boolean {
  return changed === 'all' ? own.length > 0 : own.some((topic) => changed.includes(topic))
}
