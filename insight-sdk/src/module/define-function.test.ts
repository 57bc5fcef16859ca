import { deepEqual, equal, rejects, throws } from 'node:assert/strict'
import { test } from 'node:test'
import type { ProcessRequest, SignalData } from '../protocol.ts'
import type { Surroundings } from './call.ts'
import { defineFunction, type InsightFunction } from './define-function.ts'
import { defineModule } from './define-module.ts'

const words = { id: 'f', name: 'F', description: 'does f' }
const nowUs = 1_700_000_000_000_123

function signal(value: SignalData['value'], inlet?: string): SignalData {
  const tags = inlet === undefined ? { plant: 'a' } : { plant: 'a', inlet }
  return { ts: 7, value, origin: 'o', generated: 'before', ttl: 3, tags }
}

function request(data: SignalData[], constants = {}): ProcessRequest {
  return { id: 'link', data, args: { function_id: 'f', constants } }
}

function surroundings(problems: string[] = []): Surroundings {
  return {
    nowUs: () => nowUs,
    onProblem: (problem) => problems.push(problem),
    configuration: {},
    stateFor: (_, make) => make(),
  }
}

const double = defineFunction({
  ...words,
  inlets: { x: { name: 'X', primitive_type: 'NUMERIC' } },
  outlets: {
    y: { name: 'Y', primitive_type: 'NUMERIC' },
    wrong: { name: 'Wrong', problems: true },
  },
  process({ inlet, emit }) {
    for (const source of inlet('x')) emit('y', source, source.value * 2)
  },
})

test('emit copies all fields of the source, then sets value, generated and gts', async () => {
  const source = { ...signal(4, 'x'), future: 'kept' }
  const answer = await double.run(request([source]), surroundings())
  deepEqual(answer, [[{ ...source, value: 8, generated: 'link', gts: nowUs }], []])
})

test('emit does not change its source', async () => {
  const source = Object.freeze(signal(4, 'x'))
  await double.run(request([source]), surroundings())
  deepEqual(source, signal(4, 'x'))
})

test('a value of another type is a problem at its own outlet, and the call goes on', async () => {
  const answer = await double.run(request([signal('4', 'x'), signal(5, 'x')]), surroundings())
  deepEqual(
    answer.map((outlet) => outlet.map(({ value }) => value)),
    [[10], ['inlet "x" takes NUMERIC only']],
  )
})

test('a number that is not finite is a problem, not an output', async () => {
  const answer = await double.run(request([signal(1e308, 'x')]), surroundings())
  deepEqual(
    answer.map((outlet) => outlet.map(({ value }) => value)),
    [[], ['outlet "y": Infinity is no value']],
  )
})

test('without an outlet for problems they go to onProblem of the server', async () => {
  const silent = defineFunction({
    ...words,
    process({ signals, problem }) {
      for (const source of signals) problem(source, 'dry')
    },
  })
  const problems: string[] = []
  deepEqual(await silent.run(request([signal(1)]), surroundings(problems)), [[]])
  deepEqual(problems, ['linkage link: dry'])
})

for (const [how, inlet, came] of [
  ['its tag', 'b', [1]],
  ['its index', '1', [1]],
  ['another tag', 'c', []],
  ['no tag, where there are two inlets', undefined, []],
] as const) {
  test(`a signal finds inlet b by ${how}: ${JSON.stringify(came)}`, async () => {
    const seen: unknown[] = []
    const two = defineFunction({
      ...words,
      inlets: { a: { name: 'A', data_type: ['T'] }, b: { name: 'B', data_unit: ['C'] } },
      process: ({ inlet: at }) => void seen.push(...at('b').map(({ value }) => value)),
    })
    await two.run(request([signal(1, inlet)]), surroundings())
    deepEqual(seen, came)
  })
}

test('a signal without a tag comes in by the only inlet', async () => {
  const answer = await double.run(request([signal(1)]), surroundings())
  equal(answer[0]?.[0]?.value, 2)
})

test('constants arrive typed, with their defaults', async () => {
  const seen: unknown[] = []
  const typed = defineFunction({
    ...words,
    constants: {
      window: { type: 'number', default: 20 },
      mode: { type: 'string', enum: ['fast', 'slow'], required: true },
      limits: { type: 'number', multiple: true },
      note: { type: 'string' },
    },
    process({ constants }) {
      // These four lines are the test of the types: they compile, or they do not.
      const window: number = constants.window
      const mode: 'fast' | 'slow' = constants.mode
      const limits: readonly number[] = constants.limits
      const note: string | undefined = constants.note
      // @ts-expect-error a constant that is not declared is not there
      constants.other
      seen.push(window, mode, limits, note)
    },
  })
  await typed.run(request([], { mode: 'slow' }), surroundings())
  await typed.run(request([], { mode: 'fast', window: 5, limits: [1], note: '' }), surroundings())
  deepEqual(seen, [20, 'slow', [], undefined, 5, 'fast', [1], ''])
})

test('outlets and inlets are known by name, and their values by type', () => {
  defineFunction({
    ...words,
    inlets: { on: { name: 'On', primitive_type: 'BOOLEAN' } },
    outlets: { y: { primitive_type: 'NUMERIC' }, wrong: { problems: true } },
    process({ inlet, emit, signals: [source] }) {
      const values: readonly boolean[] = inlet('on').map(({ value }) => value)
      if (source === undefined || values.length === 0) return
      // @ts-expect-error a NUMERIC outlet takes numbers
      emit('y', source, 'text')
      // @ts-expect-error problems have their own method
      emit('wrong', source, 'text')
      // @ts-expect-error no such inlet
      inlet('off')
    },
  })
})

const limited = defineFunction({
  ...words,
  constants: {
    n: { type: 'number', minimum: 1, maximum: 3 },
    list: { type: 'string', multiple: true },
    need: { type: 'boolean', required: true },
    mode: { type: 'string', enum: ['a', 'b'] },
  },
  constants_multiple_maximum: 2,
  process: () => undefined,
})

for (const [constants, refusal] of [
  [{ need: true, n: 0 }, 'constant "n": 0 is below 1'],
  [{ need: true, n: 4 }, 'constant "n": 4 is above 3'],
  [{ need: true, n: '2' }, 'constant "n": "2" is not a number'],
  [{ need: true, n: [2] }, 'constant "n": [2] is not a number'],
  [{ need: true, list: ['a', 'b', 'c'] }, 'constant "list": 3 values are more than are allowed'],
  [{ need: true, list: ['a', 1] }, 'constant "list": 1 is not a string'],
  [{ need: 'true' }, 'constant "need": "true" is not a boolean'],
  [{ need: true, mode: 'c' }, 'constant "mode": "c" is not one of ["a","b"]'],
  [{}, 'constant "need": it is missing'],
] as const) {
  test(`constants ${JSON.stringify(constants)} are refused: ${refusal}`, async () => {
    await rejects(limited.run(request([], constants), surroundings()), {
      name: 'InvalidRequest',
      message: refusal,
    })
  })
}

for (const n of [1, 3]) {
  test(`a constant at the edge of its range, ${n}, is taken`, async () => {
    deepEqual(await limited.run(request([], { need: false, n }), surroundings()), [[]])
  })
}

for (const constants of [{ list: [] }, { list: ['a', 'b'] }, { mode: 'b' }]) {
  test(`constants ${JSON.stringify(constants)} are taken`, async () => {
    deepEqual(await limited.run(request([], { need: true, ...constants }), surroundings()), [[]])
  })
}

const process = () => undefined
const inlet = { name: 'I', primitive_type: 'JSON' } as const

const faulty: readonly (readonly [string, () => unknown])[] = [
  ['id is empty', () => defineFunction({ ...words, id: '', process })],
  ['name is empty', () => defineFunction({ ...words, name: '', process })],
  [
    '6 inlets; at most 5 are allowed',
    () => {
      const inlets = { a: inlet, b: inlet, c: inlet, d: inlet, e: inlet, f: inlet }
      return defineFunction({ ...words, inlets, process })
    },
  ],
  [
    '6 outlets; at most 5 are allowed',
    () =>
      defineFunction({ ...words, outlets: { a: {}, b: {}, c: {}, d: {}, e: {}, f: {} }, process }),
  ],
  [
    'inlet "a" names none of primitive_type, data_type, data_unit',
    () => defineFunction({ ...words, inlets: { a: { name: 'A', data_type: [] } }, process }),
  ],
  [
    'outlet "1" must start with a letter',
    () => defineFunction({ ...words, outlets: { 1: {} }, process }),
  ],
  [
    'more than one outlet takes problems',
    () =>
      defineFunction({
        ...words,
        outlets: { a: { problems: true }, b: { problems: true } },
        process,
      }),
  ],
  [
    'constant "c": enum_presented has 1 items, enum 2',
    () =>
      defineFunction({
        ...words,
        constants: { c: { type: 'string', enum: ['a', 'b'], enum_presented: ['A'] } },
        process,
      }),
  ],
  [
    'constant "c": 5 is above 4',
    () =>
      defineFunction({
        ...words,
        constants: { c: { type: 'number', default: 5, maximum: 4 } },
        process,
      }),
  ],
  [
    'constant "c": "z" is not one of ["a"]',
    () =>
      defineFunction({
        ...words,
        constants: { c: { type: 'string', enum: ['a'], default: 'z' as 'a' } },
        process,
      }),
  ],
  [
    'constant "c": minimum is larger than maximum',
    () =>
      defineFunction({
        ...words,
        constants: { c: { type: 'number', minimum: 2, maximum: 1 } },
        process,
      }),
  ],
  [
    'constant "c": enum is empty',
    () => defineFunction({ ...words, constants: { c: { type: 'string', enum: [] } }, process }),
  ],
  [
    'inlet "a" has an empty name',
    () => defineFunction({ ...words, inlets: { a: { ...inlet, name: '' } }, process }),
  ],
  [
    'constants_multiple_maximum must be a whole number from 1',
    () => defineFunction({ ...words, constants_multiple_maximum: 1.5, process }),
  ],
  ['it has no function', () => defineModule({ name: 'M', description: '', functions: [] })],
  [
    'function id "f" is used twice',
    () => defineModule({ name: 'M', description: '', functions: [double, limited] }),
  ],
]

for (const [fault, define] of faulty) {
  test(`a definition is refused: ${fault}`, () => {
    throws(define, (thrown: Error) => {
      equal(thrown.name, 'DefinitionError')
      return thrown.message.includes(`- ${fault}`)
    })
  })
}

test('a function of 5 inlets and 5 outlets is served with all of them', () => {
  const { info } = defineFunction({
    ...words,
    inlets: { a: inlet, b: inlet, c: inlet, d: inlet, e: inlet },
    outlets: { a: {}, b: {}, c: {}, d: {}, e: {} },
    process,
  })
  deepEqual([info.inlets?.length, info.outlets?.length], [5, 5])
})

test('a module requests lifecycle events if a function keeps state', () => {
  const stateful = defineFunction({ ...words, state: () => [], process })
  const wants = (functions: InsightFunction[]) =>
    defineModule({ name: 'M', description: '', functions }).info.wants_lifecycle_events
  deepEqual([wants([stateful]), wants([double])], [true, false])
})
