import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useSignedIn } from '../session.tsx'
import type { ChangedTopics } from './change-stream.ts'
import { topicsOf, UpdatesContext } from './topics.ts'

/** Lists are read again at most so often, however much changes. */
const pauseMs = 1_000

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
    let close = () => {}
    let isOver = false
    void import('./change-stream.ts').then(({ ChangeStream }) => {
      if (isOver) return
      const onChange = (topics: ChangedTopics) => reading.add(topics)
      const stream = new ChangeStream({ client, name, onChange, onState: setLive })
      close = () => stream.close()
    })
    return () => {
      isOver = true
      close()
      reading.end()
      setLive(false)
    }
  }, [client, name, queries])
  return <UpdatesContext value={isLive}>{children}</UpdatesContext>
}

/**
 * Gathers changes while the tab is hidden, between two reads, and while the operator changes
 * something: all is read after that, and before it what is being deleted would be asked for.
 */
class PacedReads {
  readonly #read: (topics: ChangedTopics) => void
  readonly #isBusy: () => boolean
  #waiting: Set<string> | 'all' = new Set()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(read: (topics: ChangedTopics) => void, isBusy: () => boolean) {
    this.#read = read
    this.#isBusy = isBusy
    document.addEventListener('visibilitychange', this.#look)
  }

  add(topics: ChangedTopics): void {
    if (topics === 'all') this.#waiting = 'all'
    else if (this.#waiting !== 'all') for (const topic of topics) this.#waiting.add(topic)
    this.#look()
  }

  end(): void {
    clearTimeout(this.#timer)
    document.removeEventListener('visibilitychange', this.#look)
  }

  readonly #look = (): void => {
    const waiting = this.#waiting
    if (document.hidden || this.#timer !== undefined) return
    if (waiting !== 'all' && waiting.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#look()
    }, pauseMs)
    if (this.#isBusy()) return
    this.#waiting = new Set()
    this.#read(waiting === 'all' ? 'all' : ([...waiting] as Exclude<ChangedTopics, 'all'>))
  }
}
