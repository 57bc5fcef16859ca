import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../../../../src/foundation/kernel/index.ts'
import { pipelineLimits } from '../../../../../src/insight/pipelines/index.ts'
import { moduleCallsFixture } from '../../../../fixtures/pipelines/module-calls.ts'
import { insight } from '../../../../fixtures/pipelines.ts'

// The rows of ConstantInfo, as links keep to them.

/** Constants of each type, and the values that they take and refuse. */
const constants: readonly (readonly [
  row: string,
  constant: Readonly<Record<string, Json>>,
  taken: readonly Json[],
  refused: readonly Json[],
])[] = [
  ['type string', { type: 'string' }, ['', 'a'], [1, true, ['a']]],
  ['type number', { type: 'number' }, [0, -1.5], ['1', true, [1]]],
  ['type boolean', { type: 'boolean' }, [true, false], ['true', 1, [true]]],
  ['enum of numbers', { type: 'number', enum: [1, 2.5] }, [1, 2.5], [2, '1']],
  ['enum of a list', { type: 'string', enum: ['a', 'b'], multiple: true }, [['b', 'a']], [['c']]],
  ['minimum', { type: 'number', minimum: -1 }, [-1, 1e9], [-1.01]],
  ['maximum', { type: 'number', maximum: 0 }, [0, -1e9], [0.01]],
  ['multiple', { type: 'boolean', multiple: true }, [[], [true, false]], [true, [true, 1]]],
]
for (const [row, constant, taken, refused] of constants) {
  test(`constant.${row}: values are taken and sent, others refused`, async (t) => {
    const { link, findId, send, calls } = await moduleCallsFixture(t, {
      functions: [insight('f', { constants: [{ name: 'c', ...constant }] })],
    })
    for (const c of refused) {
      const refusal = { code: 'invalid_argument', message: /The constant "c"/ }
      await assert.rejects(link('f', [findId('n')], { constants: { c } }), refusal)
    }
    for (const c of taken) await link('f', [findId('n')], { constants: { c } })
    await send({ n: 1 })
    const sent = calls().map(({ args }) => JSON.stringify(args.constants))
    assert.deepEqual(sent.sort(), taken.map((c) => JSON.stringify({ c })).sort())
  })
}

test('constant.default is used without a value; without both none is sent', async (t) => {
  const preset = { s: 'text', n: 0, b: false }
  const declared = Object.entries(preset).map(([name, value]) => {
    return { name, type: typeof value, default: value }
  })
  const none = [
    { name: 'x', type: 'string' },
    { name: 'y', type: 'number', multiple: true },
  ]
  const { link, findId, send, calls } = await moduleCallsFixture(t, {
    functions: [insight('f', { constants: [...declared, ...none] })],
  })
  await link('f', [findId('n')])
  await send({ n: 1 })
  assert.deepEqual(
    calls().map(({ args }) => args.constants),
    [preset],
  )
})

test('without constants_multiple_maximum a constant has the limit of the platform', async (t) => {
  const { link, findId } = await moduleCallsFixture(t, {
    functions: [insight('f', { constants: [{ name: 'c', type: 'number', multiple: true }] })],
  })
  const most = pipelineLimits.constantValuesMax
  const list = (length: number) => ({ constants: { c: Array.from({ length }, () => 1) } })
  await link('f', [findId('n')], list(most))
  await assert.rejects(link('f', [findId('n')], list(most + 1)), {
    code: 'invalid_argument',
    message: new RegExp(`at most ${most} values`),
  })
})
