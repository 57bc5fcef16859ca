import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { defineFunction, defineModule, type LifecycleEvent } from '../src/index.ts'
import { call, sample, served } from './support/client.ts'
import { sampleModule } from './support/sample-module.ts'

const nowUs = () => 1_700_000_001_000_000
const source = { ...sample, ttl: 4, gts: 1, tags: { inlet: 'left', plant: 'north' } }

test('process answers an array of arrays of SignalData, one inner array per outlet', async (t) => {
  const { post } = await served(t, sampleModule())
  const { status, headers, json } = await post('/process', call('scale', [source]))
  equal(status, 200)
  equal(headers.get('content-type')?.startsWith('application/json'), true)
  deepEqual(
    json.map((outlet: unknown[]) => outlet.length),
    [1, 0],
  )
})

test('each outlet may carry many signals', async (t) => {
  const { post } = await served(t, sampleModule())
  const data = [source, { ...source, ts: source.ts + 1, value: 4 }]
  const { json } = await post('/process', call('scale', data, { factor: 10 }))
  deepEqual(
    json[0].map(({ ts, value }: typeof sample) => [ts, value]),
    [
      [source.ts, 30],
      [source.ts + 1, 40],
    ],
  )
})

// Rule 2: copy all fields of each source SignalData into the new one, then update.
for (const [field, is] of [
  ['ts', source.ts],
  ['origin', source.origin],
  ['tags', source.tags],
  ['ttl', 4],
  ['unknown', { to: 'us' }],
  ['value', 6],
  ['generated', 'link-1'],
  ['gts', nowUs()],
] as const) {
  test(`SignalData.${field} of an answer is ${JSON.stringify(is)}`, async (t) => {
    const { post } = await served(t, sampleModule(), { nowUs })
    const data = [{ ...source, unknown: { to: 'us' } }]
    const { json } = await post('/process', call('scale', data))
    deepEqual(json[0][0][field], is)
  })
}

test('non-fatal problems are new signals on a separate outlet, not an error', async (t) => {
  const { post } = await served(t, sampleModule())
  const { status, json } = await post('/process', call('scale', [{ ...source, value: 'warm' }]))
  equal(status, 200)
  deepEqual([json[0], json[1][0].value], [[], 'inlet "left" takes NUMERIC only'])
})

test('a rule answers a status', async (t) => {
  const { post } = await served(t, sampleModule())
  const data = [{ ...sample, tags: { inlet: 'x' } }]
  const { json } = await post('/process', call('rules/high', data, { limit: 2 }))
  deepEqual(json[0][0].value, { level: 3 })
})

test('a call without values returns none', async (t) => {
  const { post } = await served(t, sampleModule())
  deepEqual((await post('/process', call('scale', []))).json, [[], []])
})

const echo = defineModule({
  name: 'Echo',
  description: '',
  functions: [
    defineFunction({
      id: 'echo',
      name: 'Echo',
      description: '',
      outlets: { out: {} },
      process({ signals, emit }) {
        for (const source of signals) if (source.value !== null) emit('out', source, source.value)
      },
    }),
  ],
})

for (const value of ['warm', -0.5, { a: [1, null] }, false]) {
  test(`SignalData.value: ${JSON.stringify(value)} is taken and answered`, async (t) => {
    const { post } = await served(t, echo)
    const { json } = await post('/process', call('echo', [{ ...sample, value }]))
    deepEqual(json[0][0].value, value)
  })
}

for (const [what, more, field, is] of [
  ['origin of no character', { origin: '' }, 'origin', sample.generated],
  ['no generated', { generated: undefined }, 'generated', 'link-1'],
  ['a tag of no character', { tags: { a: '', b: 'c' } }, 'tags', { b: 'c' }],
  ['no tags', {}, 'tags', undefined],
  ['no ttl', {}, 'ttl', undefined],
  ['ts with a fraction', { ts: sample.ts + 0.5 }, 'ts', sample.ts],
] as const) {
  test(`SignalData with ${what} is processed: ${field} is ${JSON.stringify(is)}`, async (t) => {
    const { post } = await served(t, echo)
    const { status, json } = await post('/process', call('echo', [{ ...sample, ...more }]))
    equal(status, 200)
    deepEqual(json[0][0][field], is)
  })
}

async function counts(post: Awaited<ReturnType<typeof served>>['post'], id: string) {
  return (await post('/process', call('count', [sample], {}, id))).json[0][0].value
}

test('each linkage has a state of its own, until it is deleted', async (t) => {
  const { post } = await served(t, sampleModule())
  deepEqual([await counts(post, 'a'), await counts(post, 'a'), await counts(post, 'b')], [1, 2, 1])
  await post('/lifecycle', { event: 'delete', id: 'a', args: {} })
  deepEqual([await counts(post, 'a'), await counts(post, 'b')], [1, 2])
})

test('no more linkages are remembered than allowed', async (t) => {
  const { post } = await served(t, sampleModule(), { limits: { linksMax: 1 } })
  deepEqual([await counts(post, 'a'), await counts(post, 'b'), await counts(post, 'a')], [1, 1, 1])
})

for (const event of ['create', 'delete']) {
  test(`LifecycleEvent: the module receives ${event}, with id and args`, async (t) => {
    const events: LifecycleEvent[] = []
    const { post } = await served(t, sampleModule(events))
    const sent = { event, id: 'link-1', args: { function_id: 'count', constants: { a: [1] } } }
    equal((await post('/lifecycle', sent)).status, 200)
    deepEqual(events, [sent])
  })
}

for (const event of ['renamed', 'Create', 'createdelete', '', undefined]) {
  test(`LifecycleEvent.event must match (create|delete): not ${event}`, async (t) => {
    const events: LifecycleEvent[] = []
    const { post } = await served(t, sampleModule(events))
    const { status } = await post('/lifecycle', { event, id: 'link-1', args: {} })
    deepEqual([status, events], [400, []])
  })
}
