import { alignedRows, type Builtin, mapping, namedInlets } from './builtin.ts'

const outlets = [{ name: 'result', primitive_type: 'BOOLEAN', suggested_name: '{}' }] as const

const not: Builtin = {
  group: 'logic',
  insight: {
    id: 'not',
    name: 'Not',
    description: 'True if the value is false, and false if it is true.',
    type: 'transform',
    constants: [],
    inlets: namedInlets(1, 'BOOLEAN'),
    outlets,
  },
  process: mapping((value) => value !== true),
}

const operations = {
  and: (values: readonly boolean[]) => values.every(Boolean),
  or: (values: readonly boolean[]) => values.some(Boolean),
  xor: (values: readonly boolean[]) => values.filter(Boolean).length % 2 === 1,
} as const

/** Makes an operation of several signals: one function for each number of them. */
function combine(
  operation: keyof typeof operations,
  name: string,
  truth: string,
  count: number,
): Builtin {
  return {
    group: 'logic',
    insight: {
      id: `${operation}_${count}`,
      name: `${name} of ${count} signals`,
      description: `True if ${truth}; anew each time that one of them is new.`,
      type: 'transform',
      constants: [],
      inlets: namedInlets(count, 'BOOLEAN'),
      outlets,
    },
    process(call) {
      const results = alignedRows(call, count).map(({ datum, values }) => {
        return { ...datum, value: operations[operation](values.map((value) => value === true)) }
      })
      return { outlets: [results] }
    },
  }
}

const counts = [2, 3, 4, 5]

/** Functions of booleans. */
export const logic: readonly Builtin[] = [
  not,
  ...counts.map((count) => combine('and', 'And', 'all are true', count)),
  ...counts.map((count) => combine('or', 'Or', 'at least one is true', count)),
  ...counts.map((count) => combine('xor', 'Exclusive or', 'an odd number is true', count)),
]
