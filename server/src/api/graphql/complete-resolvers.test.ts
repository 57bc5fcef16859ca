import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { CompleteResolvers } from './complete-resolvers.ts'
import type { Resolvers } from './generated/resolvers.ts'
import { assetResolvers } from './resolvers/asset.ts'
import { deviceResolvers } from './resolvers/device.ts'

// The compiler tests this file: it reports a fault below that compiles.

test('a resolver of a wrong shape does not compile', () => {
  const faults: readonly Resolvers[] = [
    // @ts-expect-error a result of another type
    { Query: { assetCount: () => 'three' } },
    // @ts-expect-error a list in place of one
    { Query: { asset: () => Promise.resolve([]) } },
    // @ts-expect-error null where the schema has a list always
    { Query: { assets: () => null } },
    // @ts-expect-error a row without a property that its type needs
    { Signal: { lastValue: () => ({ value: 21.5 }) } },
    // @ts-expect-error a value that the enum does not have
    { Link: { type: () => 'filter' } },
    // @ts-expect-error an argument that the field does not have
    { Query: { asset: (_, { name }) => (name ? null : undefined) } },
    // @ts-expect-error a property that the row does not have
    { Device: { lastSeen: ({ lastSeen }) => lastSeen } },
    // @ts-expect-error a field that the schema does not have
    { Query: { assetCounts: () => 3 } },
  ]
  assert.equal(faults.length, 8)
})

test('a field without a resolver and without a property of its row does not compile', () => {
  const { group, ...ungrouped } = assetResolvers.Asset
  const { lastSeen, ...unseen } = deviceResolvers.Device
  const { asset, ...lists } = assetResolvers.Query
  // @ts-expect-error a row has the id of its group alone
  const assets: CompleteResolvers['Asset'] = ungrouped
  // @ts-expect-error a row has `lastseen`
  const devices: CompleteResolvers['Device'] = unseen
  // @ts-expect-error the root has no row
  const query: CompleteResolvers['Query'] = lists
  assert.deepEqual([assets, devices, query], [ungrouped, unseen, lists])
})
