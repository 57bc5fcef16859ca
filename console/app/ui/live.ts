import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import type { Client } from '../api/call.ts'
import { type Connector, listConnectors } from '../api/connectors.ts'
import { Problem } from '../api/problem.ts'
import { useSignedIn } from './session.tsx'

/** Lists are read anew after this, and what is chosen after that. */
export const listEveryMs = 2_000
export const chosenEveryMs = 1_000
const afterErrorMs = 5_000
/** A role may change while the page is open, but seldom does. */
const afterForbiddenMs = 60_000
const keptMs = 60_000

/** A cache of what was read. `onSignedOut` hears that the server knows the session no more. */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof Problem && error.code === 'unknown_credential') onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    // The next read is the retry, and says so; the server may be on this very machine, offline.
    defaultOptions: { queries: { retry: false, networkMode: 'always', gcTime: keptMs } },
  })
}

type Live<Data> = {
  /** Names what is read; another key is another thing. */
  readonly key: readonly unknown[]
  readonly read: (client: Client, signal: AbortSignal) => Promise<Data>
  readonly everyMs: number
  readonly enabled?: boolean
  /** Shows what was read for the key before while a new key is read for the first time. */
  readonly keepsBefore?: boolean
}

/** Reads again and again while the tab is seen. What was read stays when a later read fails. */
export function useLive<Data>({
  key,
  read,
  everyMs,
  enabled = true,
  keepsBefore = false,
}: Live<Data>): UseQueryResult<Data> {
  const { client } = useSignedIn()
  return useQuery<Data>({
    queryKey: key,
    queryFn: ({ signal }) => read(client, signal),
    enabled,
    refetchInterval: ({ state }) => (state.error === null ? everyMs : pauseAfter(state.error)),
    ...(keepsBefore ? { placeholderData: keepPreviousData } : {}),
  })
}

function pauseAfter(error: Error): number {
  return error instanceof Problem && error.code === 'forbidden' ? afterForbiddenMs : afterErrorMs
}

/** The connectors, read once for all who ask. */
export function useConnectors(): UseQueryResult<Connector[]> {
  return useLive({ key: ['connectors'], read: listConnectors, everyMs: listEveryMs })
}
