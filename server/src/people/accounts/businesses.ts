import type { Database } from '../../foundation/database/index.ts'
import { Fault, limits, newId, type Random } from '../../foundation/kernel/index.ts'
import { insertUser, type PrepareUser } from './new-user.ts'
import { isPlain, parseBusinessId, parseName } from './parse.ts'
import { firstRoles } from './permissions.ts'
import type { QuotaGuard } from './quotas/quotas.ts'
import type { Business } from './schema.ts'
import type { Store } from './store/store.ts'

export type BusinessesOptions = {
  database: Database
  store: Store
  random: Random
  prepareUser: PrepareUser
  quotas: Pick<QuotaGuard, 'require'>
  nowMs: () => number
}

/** `administrator` is its first user, of the role `Administrator`. */
export type NewBusiness = {
  readonly name: string
  readonly id?: string
  readonly administrator?: { readonly email: string; readonly password: string }
}

export function createBusinesses(options: BusinessesOptions) {
  const { database, store, random, prepareUser, quotas, nowMs } = options

  async function createBusiness(wanted: NewBusiness): Promise<Business> {
    const name = parseName(wanted.name)
    const id = wanted.id === undefined ? newId(random) : parseBusinessId(wanted.id)
    const { administrator } = wanted
    const user =
      administrator === undefined
        ? undefined
        : await prepareUser({ role: 'Administrator', ...administrator })
    await database.transaction(async (transaction) => {
      const added = await store.addBusiness(transaction, { id, name }, nowMs())
      if (added === 0)
        throw new Fault('already_exists', 'A business with that name or id already exists.')
      for (const role of firstRoles) await store.addRole(transaction, id, role)
      if (user !== undefined)
        await insertUser(store, transaction, id, { ...user, groups: null }, quotas)
    })
    return { id, name }
  }
  return {
    createBusiness,
    findBusiness: async (nameOrId: string) =>
      isPlain(nameOrId) ? store.businessNamed(nameOrId) : undefined,
    listBusinesses: () => store.businesses(limits.pageMax),
  }
}
