import type { Database } from '../../foundation/database/index.ts'
import {
  component,
  Fault,
  Nullable,
  RecordOf,
  type StaticResult,
  StrictObject,
  Type,
} from '../../foundation/kernel/index.ts'
import { type Principal, parseUserId } from './permissions.ts'
import type { PreferredUnits } from './store/preferences.ts'
import type { Store } from './store/store.ts'

const systems = Type.Enum(['metric', 'us'])

export const preferencesSchema = component('Preferences', {
  units: RecordOf(systems, {
    description:
      'By type of data of the catalogue, such as TEMPERATURE: `metric` or `us`, where values are ' +
      'shown in other units than those of their signals.',
  }),
})
export type PreferredByUser = StaticResult<typeof preferencesSchema>

export const preferencesChangeSchema = StrictObject({
  units: RecordOf(Nullable(systems), {
    description:
      'By type of data of the catalogue (`docs/reference/data-types.md`) or an alias of it; ' +
      'null: the units of the signals.',
  }),
})

/** By the name of a type of data in the catalogue; null removes one. */
export type UnitsChange = ReadonlyMap<string, PreferredUnits['units'] | null>

/** The choices of a user for all of the own browsers. */
export type Preferences = {
  /** In the order of the types of data. Faults: forbidden (no user). */
  preferences(by: Principal): Promise<PreferredByUser>
  /** Units that are not named stay. Faults: forbidden (no user). */
  preferUnits(by: Principal, change: UnitsChange): Promise<PreferredByUser>
}

type PreferencesOptions = { readonly database: Database; readonly store: Store }

export function createPreferences({ database, store }: PreferencesOptions): Preferences {
  async function preferences(by: Principal): Promise<PreferredByUser> {
    const preferred = await store.preferredUnits(...requireUser(by))
    return { units: Object.fromEntries(preferred.map(({ dataType, units }) => [dataType, units])) }
  }

  return {
    preferences,
    async preferUnits(by, change) {
      const user = requireUser(by)
      const [kept, removed]: [PreferredUnits[], string[]] = [[], []]
      for (const [dataType, units] of change) {
        if (units === null) removed.push(dataType)
        else kept.push({ dataType, units })
      }
      await database.transaction(async (transaction) => {
        await store.removePreferredUnits(transaction, ...user, removed)
        await store.putPreferredUnits(transaction, ...user, kept)
      })
      return preferences(by)
    },
  }
}

function requireUser({ businessId, subject }: Principal): readonly [string, string] {
  const userId = parseUserId(subject)
  if (userId === undefined) throw new Fault('forbidden', 'Only a user has preferences.')
  return [businessId, userId]
}
