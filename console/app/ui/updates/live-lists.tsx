import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useSignedIn } from '../session.tsx'
import { type ChangedTopics, ChangeStream, PacedReads } from './change-stream.ts'
import { topicsOf, UpdatesContext } from './topics.ts'

/** Reads the lists that are shown again when what they show has changed on the server. */
export function LiveLists({ children }: { readonly children: ReactNode }) {
  const { client, caller } = useSignedIn()
  const queries = useQueryClient()
  const [isLive, setLive] = useState(false)
  const { subject, business, groups } = caller
  const name = groups === null ? `millrace.changes.${business.id}.${subject}` : undefined
  useEffect(() => {
    // A topic does not name a group: who sees some groups reads by timers.
    if (name === undefined) return
    const read = (topics: ChangedTopics) =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => {
          const own = topicsOf(queryKey)
          return topics === 'all' ? own.length > 0 : own.some((topic) => topics.includes(topic))
        },
      })
    const reading = new PacedReads(read, () => queries.isMutating() > 0)
    const onChange = (topics: ChangedTopics) => reading.add(topics)
    const stream = new ChangeStream({ client, name, onChange, onState: setLive })
    return () => {
      stream.close()
      reading.end()
      setLive(false)
    }
  }, [client, name, queries])
  return <UpdatesContext value={isLive}>{children}</UpdatesContext>
}
