import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLatest } from './latest-values.ts'

test('runs that begin together read the last values of a business in one query', async () => {
  const asked: string[] = []
  const { latest } = createLatest({
    async lastValues({ businessId }, signalIds) {
      asked.push(`${businessId}: ${[...signalIds].sort()}`)
      const stored = signalIds.filter((id) => id !== 'empty')
      return new Map(stored.map((id) => [id, { ts: 1, value: `${businessId} ${id}` }]))
    },
  })
  const read = await Promise.all([
    latest('a', ['x', 'empty']),
    latest('b', ['x']),
    latest('a', ['y', 'x']),
    latest('a', ['z']),
  ])
  assert.deepEqual(asked, ['a: empty,x,y,z', 'b: x'])
  const values = read.map((one) => [...one].map(([id, { value }]) => `${id}=${value}`))
  assert.deepEqual(values, [['x=a x'], ['x=b x'], ['y=a y', 'x=a x'], ['z=a z']])
})
