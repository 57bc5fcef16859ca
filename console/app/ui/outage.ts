import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Problem } from '../api/problem.ts'

/** The reason why the server is out of reach, shown once and not in every pane. */
export function useOutage(): Problem | undefined {
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

export function isOutage(error: Error | null): error is Problem {
  return error instanceof Problem && error.isOutage
}
