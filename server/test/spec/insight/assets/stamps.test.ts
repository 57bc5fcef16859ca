import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PipelinesFixture, pipelinesFixture } from '../../../fixtures/pipelines.ts'

type Write = { readonly at: number; readonly stamp?: number; readonly value: number }

const then = 1_700_000_000_000_000

/** Appends what a device wrote at a time of the platform's clock, perhaps with its own stamp. */
function append({ eventlog, business, connectorId }: PipelinesFixture, writes: readonly Write[]) {
  return Promise.all(
    writes.map(({ at, stamp = at, value }) =>
      eventlog.append({
        businessId: business,
        connectorId,
        identity: 'd1',
        kind: 'write',
        at,
        body: {
          ip: '',
          protocol: 'http',
          payload: [{ timestamp: stamp, values: { data_in: `{"001":${value}}` } }],
        },
      }),
    ),
  )
}

async function fixtureWithSignal(t: Parameters<typeof pipelinesFixture>[0]) {
  const fixture = await pipelinesFixture(t)
  const [, signal] = await fixture.assetWith('d1', ['001'])
  assert.ok(signal)
  const { assets, view, pipelines } = fixture
  return {
    async write(...writes: Write[]) {
      await append(fixture, writes)
      await pipelines.caughtUp()
    },
    async history() {
      const values = await assets.history(view, signal.id, { order: 'asc' })
      return values.map(({ ts, value }) => [ts - then, value])
    },
    async latest() {
      const { ts = 0, value } = (await assets.lastValues(view, [signal.id])).get(signal.id) ?? {}
      return [ts - then, value]
    },
  }
}

test('a stamp that the clock gives again is moved to the next free microsecond', async (t) => {
  const { write, history, latest } = await fixtureWithSignal(t)
  await write({ at: then, value: 1 }, { at: then + 1, value: 2 }, { at: then + 3, value: 3 })
  await write({ at: then, value: 4 })
  assert.deepEqual(await latest(), [3, 3])
  await write({ at: then + 3, value: 5 })
  const all = [1, 2, 4, 3, 5].map((value, at) => [at, value])
  assert.deepEqual(await history(), all)
  assert.deepEqual(await latest(), [4, 5])
  await write(...Array.from({ length: 20 }, (_, at) => ({ at: then + (at % 5), value: 100 + at })))
  const values = (await history()).map(([, value]) => value)
  assert.equal(values.length, 25)
  assert.equal(new Set(values).size, 25)
})

test('entries of one batch with the same stamp of the platform are all stored', async (t) => {
  const { write, history, latest } = await fixtureWithSignal(t)
  await write(...[1, 2, 3, 3].map((value) => ({ at: then, value })))
  assert.deepEqual(
    await history(),
    [1, 2, 3, 3].map((value, at) => [at, value]),
  )
  assert.deepEqual(await latest(), [3, 3])
})

test("a value with the device's own stamp replaces the one that has it", async (t) => {
  const { write, history, latest } = await fixtureWithSignal(t)
  await write({ at: then + 10, stamp: then, value: 1 })
  await write({ at: then + 20, stamp: then, value: 2 }, { at: then, value: 3 })
  assert.deepEqual(await history(), [
    [0, 2],
    [1, 3],
  ])
  await write({ at: then + 30, stamp: then, value: 4 })
  assert.deepEqual(await history(), [
    [0, 4],
    [1, 3],
  ])
  assert.deepEqual(await latest(), [1, 3])
})
