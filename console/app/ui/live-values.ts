import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followValues, type Value } from '../api/signals.ts'
import { useSignedIn } from './session.tsx'

type Followed = {
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'stopped'
  /** The newest value of each signal that came, by its id. */
  readonly values: ReadonlyMap<string, Value>
}

const none: Followed = { state: 'connecting', values: new Map() }
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
  const [followed, setFollowed] = useState(none)
  const ids = signalIds.slice(0, followedMax).join(' ')
  const key = JSON.stringify(readKey)
  useEffect(() => {
    if (ids === '') return
    const run = new AbortController()
    const become = (state: Followed['state']) => setFollowed((before) => ({ ...before, state }))
    let came = new Map<string, Value>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      const all = came
      came = new Map()
      setFollowed(({ state, values }) => ({ state, values: new Map([...values, ...all]) }))
    }
    const follow = async () => {
      const values = followValues(client, ids.split(' '), {
        signal: run.signal,
        opened() {
          become('live')
          void queries.invalidateQueries({ queryKey: JSON.parse(key) })
        },
        lost: () => become('reconnecting'),
      })
      for await (const { signalId, ts, value } of values) {
        came.set(signalId, { ts, value })
        timer ??= setTimeout(show, shownEveryMs)
      }
    }
    follow().catch(() => become('stopped'))
    return () => {
      run.abort()
      clearTimeout(timer)
    }
  }, [client, queries, ids, key])
  return followed
}
