import { type PreferredUnits, readPreferences } from '../../api/people/own-account.ts'
import { useLive } from '../live-queries.ts'

/** They are changed by the person alone: in another browser, seldom while this one is open. */
const seldomMs = 60_000
const none: Readonly<Record<string, PreferredUnits>> = {}

export function usePreferences(everyMs = seldomMs) {
  return useLive(['preferences'], readPreferences, { everyMs })
}

/** The units that the person prefers, by type of data; undefined until they are read. */
export function usePreferredUnits(): Readonly<Record<string, PreferredUnits>> | undefined {
  const { data, error } = usePreferences()
  return data?.units ?? (error === null ? undefined : none)
}
