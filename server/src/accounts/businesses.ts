import type { Database } from '../database/index.ts'
import { Fault, limits, newId, type Random } from '../kernel/index.ts'
import { isPlain, parseBusinessId, parseName } from './parse.ts'
import { firstRoles } from './permissions.ts'
import type { Business, Store } from './store.ts'

export type BusinessesOptions = {
  database: Database
  store: Store
  random: Random
  nowMs: () => number
}

export function createBusinesses({ database, store, random, nowMs }: BusinessesOptions) {
  async function createBusiness(wanted: { name: string; id?: string }): Promise<Business> {
    const name = parseName(wanted.name)
    const id = wanted.id === undefined ? newId(random) : parseBusinessId(wanted.id)
    await database.transaction(async (transaction) => {
      const added = await store.addBusiness(transaction, { id, name }, nowMs())
      if (added === 0) throw new Fault('already_exists', 'There is a business of that name or id.')
      for (const role of firstRoles) await store.addRole(transaction, id, role)
    })
    return { id, name }
  }
  return {
    createBusiness,
    findBusiness: async (nameOrId: string) =>
      isPlain(nameOrId) ? store.businessNamed(nameOrId) : undefined,
    listBusinesses: () => store.businesses(limits.pageMax),
    listRoles: (businessId: string) => store.roles(businessId, limits.pageMax),
  }
}

/** @throws Fault invalid_argument if the business has no such role. */
export async function requireRole(store: Store, businessId: string, name: string): Promise<void> {
  if (isPlain(name) && (await store.role(businessId, name)) !== undefined) return
  throw new Fault('invalid_argument', 'The business has no role of that name.')
}
