import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { useContext } from 'react'
import type { Client } from '../api/client.ts'
import { type Connector, listConnectors } from '../api/connectors.ts'
import { hasCode } from './errors.ts'
import { useSignedIn } from './session.tsx'
import { isPushed, UpdatesContext } from './updates/topics.ts'

/**
 * The interval at which lists are read again while the server does not send their changes; that of
 * the selection is shorter.
 */
export const listEveryMs = 2_000
export const chosenEveryMs = 1_000
const afterErrorMs = 5_000
/** A role may change while the page is open, but seldom does. */
const afterForbiddenMs = 60_000
const keptMs = 60_000
/** For what the server sends changes of: one may get lost, as a hint between its processes. */
const pushedEveryMs = 60_000

/** A cache of what was read. `onSignedOut` is called when the session is no longer valid. */
export function createQueries(onSignedOut: () => unknown): QueryClient {
  const onError = (error: Error) => {
    if (endsSession(error)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    // The next read is the retry, and says so; the server may be on this very machine, offline.
    defaultOptions: { queries: { retry: false, networkMode: 'always', gcTime: keptMs } },
  })
}

/** It has ended, or the business demands a second step since, which the next sign-in sets up. */
function endsSession(error: Error): boolean {
  return hasCode(error, 'unknown_credential') || hasCode(error, 'totp_enrolment_required')
}

type Read<Data> = (client: Client, signal: AbortSignal) => Promise<Data>

type Options = {
  /** Left out: as lists are. */
  readonly everyMs?: number
  readonly enabled?: boolean
  /** Shows the data of the key before while those of a new key are read for the first time. */
  readonly keepsBefore?: boolean
}

/**
 * Reads while the tab is visible: when the server sends a change, else at intervals. The last data
 * stay if a later read fails. The key identifies the data; another key is other data.
 */
export function useLive<Data>(
  key: readonly unknown[],
  read: Read<Data>,
  { everyMs = listEveryMs, enabled = true, keepsBefore = false }: Options = {},
): UseQueryResult<Data> {
  const { client } = useSignedIn()
  const pushed = isPushed(key, useContext(UpdatesContext))
  const intervalMs = pushed ? Math.max(everyMs, pushedEveryMs) : everyMs
  return useQuery<Data>({
    queryKey: key,
    queryFn: ({ signal }) => read(client, signal),
    meta: { everyMs, isPushed: pushed },
    enabled,
    refetchInterval: ({ state }) => (state.error === null ? intervalMs : pauseAfter(state.error)),
    ...(keepsBefore ? { placeholderData: keepPreviousData } : {}),
  })
}

/**
 * The same with what the function takes, by which the data are known, too. The name stands in the
 * lists of `updates/topics.ts`.
 */
export function useRead<const Given extends readonly unknown[], Data>(
  name: string,
  read: (client: Client, ...rest: [...Given, signal: AbortSignal]) => Promise<Data>,
  given: Given,
  options: Options = {},
): UseQueryResult<Data> {
  return useLive([name, ...given], (client, signal) => read(client, ...given, signal), options)
}

function pauseAfter(error: Error): number {
  return hasCode(error, 'forbidden') ? afterForbiddenMs : afterErrorMs
}

/** The connectors, read once for all components. */
export function useConnectors(options?: Options): UseQueryResult<Connector[]> {
  return useLive(['connectors'], listConnectors, options)
}
