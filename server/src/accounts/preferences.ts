import type { Database } from '../database/index.ts'
import { Fault } from '../kernel/index.ts'
import { type Principal, userIdOf } from './permissions.ts'
import type { PreferredUnits } from './store/preferences.ts'
import type { Store } from './store/store.ts'

/** By the name of a type of data in the catalogue; null removes one. */
export type UnitsChange = ReadonlyMap<string, PreferredUnits['units'] | null>

/** What a user wants to see in each of the own browsers. */
export type Preferences = {
  /** In the order of the types of data. Faults: forbidden (no user). */
  preferredUnits(by: Principal): Promise<PreferredUnits[]>
  /** What is not named stays. Faults: forbidden (no user). */
  preferUnits(by: Principal, change: UnitsChange): Promise<PreferredUnits[]>
}

type PreferencesOptions = { readonly database: Database; readonly store: Store }

export function createPreferences({ database, store }: PreferencesOptions): Preferences {
  return {
    preferredUnits: async (by) => store.preferredUnits(...userOf(by)),
    async preferUnits(by, change) {
      const user = userOf(by)
      const [kept, removed]: [PreferredUnits[], string[]] = [[], []]
      for (const [dataType, units] of change) {
        if (units === null) removed.push(dataType)
        else kept.push({ dataType, units })
      }
      await database.transaction(async (transaction) => {
        await store.removePreferredUnits(transaction, ...user, removed)
        await store.putPreferredUnits(transaction, ...user, kept)
      })
      return store.preferredUnits(...user)
    },
  }
}

function userOf({ businessId, subject }: Principal): readonly [string, string] {
  const userId = userIdOf(subject)
  if (userId === undefined) throw new Fault('forbidden', 'Only a user has preferences.')
  return [businessId, userId]
}
