import { useEffect, useState } from 'react'
import type { Asset } from '../api/assets.ts'
import { followStatuses } from '../api/dashboards/panels.ts'
import { useSignedIn } from './session.tsx'

type Statuses = ReadonlyMap<string, Asset['status']>

const none: Statuses = new Map()
/** The API follows at most so many assets at once. */
const followedMax = 1_000
/** Each time renders all that shows a status: when they begin to come, all come at once. */
const shownEveryMs = 100

/** The statuses of assets as they come, by the ids of the assets. */
export function useLiveStatuses(assetIds: readonly string[]): Statuses {
  const { client } = useSignedIn()
  const [statuses, setStatuses] = useState(none)
  const ids = assetIds.slice(0, followedMax).join(' ')
  useEffect(() => {
    if (ids === '') return
    const run = new AbortController()
    let came = new Map<string, Asset['status']>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      const all = came
      came = new Map()
      setStatuses((before) => new Map([...before, ...all]))
    }
    const follow = async () => {
      const nothing = () => {}
      const options = { signal: run.signal, opened: nothing, lost: nothing }
      for await (const { assetId, status } of followStatuses(client, ids.split(' '), options)) {
        came.set(assetId, status)
        timer ??= setTimeout(show, shownEveryMs)
      }
    }
    // A refusal leaves the statuses that were read with the assets.
    follow().catch(() => setStatuses(none))
    return () => {
      run.abort()
      clearTimeout(timer)
    }
  }, [client, ids])
  return statuses
}
