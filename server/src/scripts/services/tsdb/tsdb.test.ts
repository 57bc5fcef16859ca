import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { handClock } from '../../../../test/fixtures/provisioning.ts'
import { limits } from '../../../foundation/kernel/index.ts'
import type { ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { createTsdb } from './index.ts'

const call = (solutionId: string): ServiceCall => ({
  businessId: 'b1',
  solutionId,
  alias: 'tsdb',
  configuration: undefined,
  trackingId: 't1',
  depth: 0,
  remainingMs: 1_000,
  signal: new AbortController().signal,
})

const startUs = 1_700_000_000_000_000
const minuteUs = 60_000_000

async function open(t: Parameters<typeof testDatabase>[0]) {
  const database = await testDatabase(t)
  const clock = handClock(startUs)
  const tsdb = createTsdb({ database, clock })
  const ask = async (operation: string, args: ScriptValue, solutionId = 's1') => {
    const run = tsdb.service.operation(operation)
    assert.ok(run !== undefined)
    return run(call(solutionId), args)
  }
  /** Temperatures 0 to 9, one a minute, of two rooms. */
  const fill = async () => {
    const datapoints = Array.from({ length: 10 }, (_, index) => ({
      metrics: { temperature: index, humidity: 50 + index },
      tags: { room: index % 2 === 0 ? 'a' : 'b' },
      ts: startUs - (10 - index) * minuteUs,
    }))
    assert.deepEqual(await ask('multiWrite', { datapoints }), {})
  }
  return { database, clock, tsdb, ask, fill }
}

test('a value that was written is found, newest first, at the time of its writing', async (t) => {
  const { ask, clock } = await open(t)
  assert.deepEqual(await ask('write', { metrics: { t: 1 } }), {})
  clock.us += minuteUs
  await ask('write', { metrics: { t: 'warm', on: true }, tags: { room: 'a', floor: 2 } })
  assert.deepEqual(await ask('query', { metrics: ['t', 'on'] }), {
    metrics: ['t', 'on'],
    columns: ['time', 't', 'on'],
    values: [
      [startUs + minuteUs, 'warm', true],
      [startUs, 1, null],
    ],
  })
  assert.deepEqual(await ask('query', { metrics: ['t'], tags: { floor: '2' }, epoch: 's' }), {
    metrics: ['t'],
    columns: ['time', 't'],
    values: [[(startUs + minuteUs) / 1_000_000, 'warm']],
  })
})

test('another solution cannot read it', async (t) => {
  const { ask } = await open(t)
  await ask('write', { metrics: { t: 1 } })
  const other = (await ask('query', { metrics: ['t'] }, 's2')) as { values: unknown[] }
  assert.deepEqual(other.values, [])
})

test('the same metric, tags and time again: the last value counts', async (t) => {
  const { ask } = await open(t)
  await Promise.all([1, 2, 3].map((value) => ask('write', { metrics: { t: value }, ts: 1e14 })))
  const read = (await ask('query', { metrics: ['t'], start_time: 0, end_time: 2e14 })) as {
    values: unknown[]
  }
  assert.deepEqual(read.values, [[1e14, 3]])
})

test('two values of one time with different tags are two rows', async (t) => {
  const { ask } = await open(t)
  await ask('write', { metrics: { t: 1 }, tags: { room: 'a' }, ts: 1e14 })
  await ask('write', { metrics: { t: 2 }, tags: { room: 'b' }, ts: 1e14 })
  const merged = (await ask('query', { metrics: ['t'] })) as { values: unknown[] }
  assert.deepEqual(merged.values, [
    [1e14, 1],
    [1e14, 2],
  ])
  const split = (await ask('query', { metrics: ['t', 'none'], mode: 'split' })) as {
    values: unknown
  }
  assert.deepEqual(split.values, {
    t: [
      [1e14, 1],
      [1e14, 2],
    ],
    none: [],
  })
})

test('ranges: the start is in, the end is not; relative ones count back from now', async (t) => {
  const { ask, fill } = await open(t)
  await fill()
  const times = async (args: Record<string, ScriptValue>) => {
    const read = (await ask('query', { metrics: ['temperature'], order_by: 'asc', ...args })) as {
      values: [number, number][]
    }
    return read.values.map(([, value]) => value)
  }
  assert.deepEqual(await times({ relative_start: '-3m' }), [7, 8, 9])
  assert.deepEqual(await times({ relative_start: '-3m', relative_end: '-1m' }), [7, 8])
  assert.deepEqual(
    await times({ start_time: startUs - 2 * minuteUs, end_time: startUs - minuteUs }),
    [8],
  )
  assert.deepEqual(await times({ start_time: `${startUs / 1_000_000 - 120}s` }), [8, 9])
  assert.deepEqual(await times({ limit: 2 }), [0, 1])
  assert.deepEqual(await times({ limit: 2, order_by: 'desc' }), [9, 8])
  assert.deepEqual(await times({ tags: { room: 'b' } }), [1, 3, 5, 7, 9])
})

test('aggregates, of the whole range and of buckets', async (t) => {
  const { ask, fill } = await open(t)
  await fill()
  const whole = await ask('query', {
    metrics: ['temperature', 'humidity'],
    aggregate: ['avg', 'min', 'max', 'count', 'sum'],
    relative_start: '-1h',
  })
  assert.deepEqual((whole as { values: unknown }).values, [
    [
      startUs - 60 * minuteUs,
      { avg: 4.5, min: 0, max: 9, count: 10, sum: 45 },
      { avg: 54.5, min: 50, max: 59, count: 10, sum: 545 },
    ],
  ])
  const sampled = (await ask('query', {
    metrics: ['temperature'],
    aggregate: 'max',
    sampling_size: '5m',
    order_by: 'asc',
  })) as { values: unknown }
  // The start lies 200 s behind a multiple of five minutes.
  const buckets = [
    [800, 1],
    [500, 6],
    [200, 9],
  ].map(([s = 0, most]) => [startUs - s * 1_000_000, most])
  assert.deepEqual(sampled.values, buckets)
})

const bad: readonly [string, string, ScriptValue, RegExp][] = [
  ['no metrics', 'write', {}, /metrics must be a table/],
  ['a metric without a name', 'write', { metrics: { '': 1 } }, /a metric must be a text/],
  ['a value that is a table', 'write', { metrics: { a: { b: 1 } } }, /metrics.a must be a number/],
  ['a value that is no number', 'write', { metrics: { a: Number.NaN } }, /metrics.a must be/],
  ['a text that is too long', 'write', { metrics: { a: 'x'.repeat(4_097) } }, /4096 bytes/],
  [
    'a time in seconds',
    'write',
    { metrics: { a: 1 }, ts: 1_487_021_046 },
    /ts must be in .* is in seconds/,
  ],
  ['a time that is true', 'write', { metrics: { a: 1 }, ts: true }, /ts must be microseconds/],
  ['a value that is a list', 'write', { metrics: { a: [1] } }, /metrics.a must be a number/],
  [
    'a tag that is a list',
    'write',
    { metrics: { a: 1 }, tags: { a: [1] } },
    /tags.a must be a text/,
  ],
  ['a range of a number', 'query', { metrics: ['a'], relative_start: 3 }, /such as -3h/],
  ['a time before 1970', 'write', { metrics: { a: 1 }, ts: -1 }, /ts must be microseconds/],
  ['tags that are a list', 'write', { metrics: { a: 1 }, tags: [1] }, /tags must be a table/],
  ['a tag with NUL', 'write', { metrics: { a: 1 }, tags: { a: 'b\0' } }, /tags.a must be/],
  ['an unknown argument', 'write', { metric: { a: 1 } }, /no argument metric/],
  ['datapoints that are none', 'multiWrite', { datapoints: 1 }, /must be a list/],
  ['one bad of two', 'multiWrite', { datapoints: [{ metrics: { ok: 1 } }, {}] }, /metrics must/],
  ['a query without metrics', 'query', { metrics: [] }, /metrics must be a list/],
  ['an unknown aggregate', 'query', { metrics: ['a'], aggregate: ['median'] }, /aggregate.* must/],
  ['a sampling of nothing', 'query', { metrics: ['a'], sampling_size: '5m' }, /needs an aggregate/],
  ['a range the wrong way', 'query', { metrics: ['a'], start_time: 5, end_time: 5 }, /before/],
  ['two starts', 'query', { metrics: ['a'], start_time: 5, relative_start: '-1h' }, /not both/],
  ['a relative time ahead', 'query', { metrics: ['a'], relative_start: '3h' }, /such as -3h/],
  ['a limit above the most', 'query', { metrics: ['a'], limit: 10_001 }, /limit must be 1 to/],
]

test('bad arguments are refused by name, and store nothing', async (t) => {
  const { ask, database } = await open(t)
  for (const [what, operation, args, message] of bad) {
    await assert.rejects(
      async () => ask(operation, args),
      (error: { code?: string; message: string }) =>
        error.code === 'invalid_argument' && message.test(error.message),
      what,
    )
  }
  assert.deepEqual(await database.rows('select id from tsdb_series'), [])
})

test('what is older than it is kept is swept, and what is younger stays', async (t) => {
  const { ask, clock, tsdb } = await open(t)
  await ask('write', { metrics: { t: 1 } })
  clock.us += 1
  await ask('write', { metrics: { t: 2 } })
  clock.us = startUs + limits.tsdbDaysMax * 24 * 60 * minuteUs + 1
  await tsdb.sweep()
  const read = (await ask('query', { metrics: ['t'] })) as { values: unknown[] }
  assert.deepEqual(read.values, [[startUs + 1, 2]])
})

test('past the most series a new one is refused, and nothing beside it', async (t) => {
  const { ask, database, clock } = await open(t)
  await ask('write', { metrics: { here: 1 } })
  await database.run(
    `insert into tsdb_series (solution_id, metric, tags)
     select 's1', 'm' || n, '{}' from generate_series(2, $1::int) as n`,
    [limits.tsdbSeriesMax],
  )
  // Another process has none of them in its cache yet.
  const later = createTsdb({ database, clock }).service.operation('write')
  assert.deepEqual(await later?.(call('s1'), { metrics: { m2: 1 } }), {})
  const [fresh, old, other] = await Promise.allSettled([
    ask('write', { metrics: { fresh: 1 } }),
    ask('write', { metrics: { here: 2 } }),
    ask('write', { metrics: { fresh: 1 } }, 's2'),
  ])
  assert.equal(fresh.status === 'rejected' && fresh.reason.code, 'too_large')
  assert.equal(old.status, 'fulfilled')
  assert.equal(other.status, 'fulfilled')
})
