import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testSecrets } from '../../../test/fixtures/secrets.ts'
import { openValues, sealValues } from './parameters.ts'
import type { Listing } from './types.ts'

const secrets = testSecrets()
const owner = { businessId: 'b', id: 'u' }
const parameters = [
  { name: 'key', description: 'x', type: 'string', secret: true, required: false },
  { name: 'level', description: 'x', type: 'integer', secret: false, required: false },
] as const

const at = (base: string) => ({ base, parameters }) as unknown as Listing

/** As a version sealed them that knew no origins, when the module was at `first.example`. */
const sealed = secrets.seal(JSON.stringify({ key: 'k', level: 3 }), 'marketplace/b/u')
const before = { ...owner, sealed, secretsBase: 'https://first.example/v1' }

it('secrets that were sealed without an origin are for where their module was then', () => {
  const there = openValues(secrets, { ...before, listing: at('https://first.example/v2') })
  assert.deepEqual(there.values, { key: 'k', level: 3 })
  assert.deepEqual(there.withheld, [])
  const moved = openValues(secrets, { ...before, listing: at('https://second.example/v1') })
  assert.deepEqual(moved.values, { level: 3 })
  assert.deepEqual([moved.withheld, moved.origin], [['key'], 'https://first.example'])
})

it('secrets that were sealed anew are for where their module is', () => {
  const listing = at('https://second.example')
  const anew = {
    ...before,
    listing,
    sealed: sealValues(secrets, { ...owner, listing }, { key: 'k' }),
  }
  assert.deepEqual(openValues(secrets, anew).values, { key: 'k' })
})
