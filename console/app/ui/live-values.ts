import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { followValues, type Value } from '../api/signals.ts'
import { useSignedIn } from './session.tsx'

type State = 'connecting' | 'live' | 'reconnecting' | 'stopped'

type Followed = {
  readonly state: State
  /** The newest values that came. Only what reads one by `useLatest` is rendered anew for it. */
  readonly values: LatestValues
}

const shownEveryMs = 100
/** The API follows at most so many signals at once. */
const followedMax = 1_000

/**
 * Follows the newest values of signals. Each time that the stream is open, what was read before is
 * read again: nothing is missed between the two.
 */
export function useLiveValues(signalIds: readonly string[], readKey: readonly unknown[]): Followed {
  const { client } = useSignedIn()
  const queries = useQueryClient()
  const [state, setState] = useState<State>('connecting')
  const [values] = useState(() => new LatestValues())
  const ids = signalIds.slice(0, followedMax).join(' ')
  const key = JSON.stringify(readKey)
  useEffect(() => {
    if (ids === '') return
    const run = new AbortController()
    let came = new Map<string, Value>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      const all = came
      came = new Map()
      values.add(all)
    }
    const follow = async () => {
      const read = followValues(client, ids.split(' '), {
        signal: run.signal,
        opened() {
          setState('live')
          void queries.invalidateQueries({ queryKey: JSON.parse(key) })
        },
        lost: () => setState('reconnecting'),
      })
      for await (const { signalId, ts, value } of read) {
        came.set(signalId, { ts, value })
        timer ??= setTimeout(show, shownEveryMs)
      }
    }
    follow().catch(() => setState('stopped'))
    return () => {
      run.abort()
      clearTimeout(timer)
    }
  }, [client, queries, ids, key, values])
  return { state, values }
}

/** The newest value of a signal that came, else the one that was read with it; null for none. */
export function useLatest(
  values: LatestValues,
  { id, lastValue }: { readonly id: string; readonly lastValue: Value | null },
): Value | null {
  const subscribe = useCallback(
    (listener: () => void) => values.subscribe(id, listener),
    [values, id],
  )
  const came = useSyncExternalStore(subscribe, () => values.of(id))
  return came !== undefined && came.ts >= (lastValue?.ts ?? 0) ? came : lastValue
}

/** The newest values of signals, with listeners for each signal: a page has a thousand of them. */
export class LatestValues {
  readonly #values = new Map<string, Value>()
  readonly #listeners = new Map<string, Set<() => void>>()

  of(signalId: string): Value | undefined {
    return this.#values.get(signalId)
  }

  add(came: ReadonlyMap<string, Value>): void {
    for (const [id, value] of came) this.#values.set(id, value)
    for (const id of came.keys()) {
      for (const listener of this.#listeners.get(id) ?? []) listener()
    }
  }

  /** @returns what ends it. */
  subscribe(signalId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(signalId) ?? new Set()
    this.#listeners.set(signalId, listeners.add(listener))
    return () => listeners.delete(listener)
  }
}
