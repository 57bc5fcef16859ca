import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { buildSchema } from 'graphql'
import * as announcements from '../../../src/announced.ts'
import * as ofAssets from '../../../src/announced-assets.ts'
import type { Changes } from '../../../src/changes/index.ts'
import { readSchema } from '../../../src/graphql/index.ts'
import { contracts } from '../../../src/management/index.ts'
import { exceptions, publishedBy } from './announced-operations.ts'

/** What changes something, by its name: operations of the management API, and mutations. */
function changing(): string[] {
  const mutations = buildSchema(readSchema()).getMutationType()?.getFields() ?? {}
  const operations = contracts.filter(({ method }) => method !== 'GET').map(({ id }) => id)
  return [...new Set([...operations, ...Object.keys(mutations)])].sort()
}

type Module = { readonly [name: string]: Module & (() => Promise<unknown>) }

const names = [...new Set(Object.values(publishedBy).flatMap((path) => path.split('.')))]

/** A module in which each name is a function that succeeds with nothing, and a module. */
function anyModule(): Module {
  const known = new Map<PropertyKey, unknown>()
  return new Proxy(async () => [], {
    ownKeys: () => names,
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
    get(_, name) {
      if (name === 'then') return undefined
      if (!known.has(name)) known.set(name, name === 'bind' ? () => async () => [] : anyModule())
      return known.get(name)
    },
  }) as unknown as Module
}

/** The modules as the platform has them, whose changes are published to this. */
function announcedModules(publish: Changes['publish']): Module {
  const any = anyModule() as never
  const to = { publish }
  return {
    accounts: announcements.announcedAccounts(to, () => any),
    assets: ofAssets.announcedAssets(to, any),
    dashboards: announcements.announcedDashboards(to, any),
    failures: announcements.announcedFailures(to, { of: () => any } as never).of('scripts'),
    groups: announcements.announcedGroups(to, any),
    marketplace: announcements.announcedMarketplace(to, any),
    pipelines: ofAssets.announcedPipelines(to, () => any, any),
    policies: announcements.announcedPolicies(to, any),
    provisioning: announcements.announcedProvisioning(to, () => any),
    scripting: announcements.announcedScripting(to, any),
  } as unknown as Module
}

describe('what changes something', () => {
  it('is published, or an exception with a reason', () => {
    const known = [...Object.keys(publishedBy), ...Object.keys(exceptions)]
    assert.deepEqual(known.sort(), changing())
    for (const [name, reason] of Object.entries(exceptions)) assert.ok(reason.length > 10, name)
  })

  it('is published by the function that is named for it', async () => {
    for (const [operation, path] of Object.entries(publishedBy)) {
      const published: string[] = []
      const modules = announcedModules((businessId, topic) => {
        published.push(`${businessId} ${topic}`)
      })
      const [module = '', ...steps] = path.split('.')
      let found: unknown = modules[module]
      for (const step of steps) found = (found as Module)[step]
      await (found as (...args: unknown[]) => Promise<unknown>)({ businessId: 'b' }, 'id', {})
      assert.equal(published.length, 1, `${operation}: ${path} publishes nothing`)
    }
  })
})
