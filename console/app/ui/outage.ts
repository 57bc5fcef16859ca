import type { ApiError } from '@millrace/client'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isOutage } from './errors.ts'

/** The reason why the server is out of reach, shown once and not in every pane. */
export function useOutage(): ApiError | undefined {
  const cache = useQueryClient().getQueryCache()
  return useSyncExternalStore(
    (listener) => cache.subscribe(notifyManager.batchCalls(listener)),
    () =>
      cache
        .findAll({ type: 'active' })
        .map(({ state }) => state.error)
        .find(isOutage),
  )
}
