import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ChangeTopic } from '../../api/people/changes.ts'
import { useSignedIn } from '../session.tsx'
import { type ChangedTopics, ChangeStream, PacedReads } from './change-stream.ts'
import { topicsFor, UpdatesContext } from './topics.ts'

/** Reads the lists that are shown again when what they show has changed on the server. */
export function LiveLists({ children }: { readonly children: ReactNode }) {
  const { client, caller } = useSignedIn()
  const queries = useQueryClient()
  const [covered, setCovered] = useState<readonly ChangeTopic[]>([])
  const { subject, business, groups, permissions } = caller
  // The server ends the stream of who may see more by now, or less: it is opened again.
  const name = JSON.stringify(['changes', business.id, subject, groups, permissions])
  useEffect(() => {
    const read = (topics: ReadonlySet<string>) => {
      const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
        isAbout(topicsFor(queryKey), topics)
      for (const { state, promise, queryKey } of queries.getQueryCache().findAll({ predicate })) {
        // A first read is not begun again: what it finds may be from before the change.
        const again = () => queries.invalidateQueries({ queryKey })
        if (state.data === undefined) promise?.then(again, again)
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

function isAbout(own: readonly ChangeTopic[], changed: ReadonlySet<string>): boolean {
  return own.some((topic) => changed.has('all') || changed.has(topic))
}
