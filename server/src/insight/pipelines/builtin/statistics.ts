import { pipelineLimits } from '../limits.ts'
import {
  type Builtin,
  checkWhole,
  numberIn,
  numericInlet,
  outletsLikeInlet,
  secondsConstant,
  stepping,
} from './builtin.ts'

type Statistic = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Computes the statistic of at least one value. */
  readonly compute: (values: readonly number[]) => number
  /** False if the result is of another kind than the values, as a difference is. */
  readonly isLikeValues: boolean
}

/** The newest values, oldest first, each with its time. */
type Window = { readonly values: [number, number][] }

const usPerSecond = 1_000_000

const windowDefault = 10

/** A figure of the newest values, at each new one. */
function define({ id, name, description, compute, isLikeValues }: Statistic): Builtin {
  const insight: Builtin['insight'] = {
    id,
    name,
    description: `${description} It begins with the first value.`,
    type: 'transform',
    constants: [
      {
        name: 'window',
        type: 'number',
        description: 'How many of the newest values count.',
        default: windowDefault,
        minimum: 1,
        maximum: pipelineLimits.functionWindowValuesMax,
      },
      secondsConstant(
        'seconds',
        'If it is not 0, older values than so many seconds do not count.',
        pipelineLimits.functionWindowSecondsMax,
      ),
    ],
    inlets: [numericInlet],
    outlets: [{ name: id, primitive_type: 'NUMERIC', suggested_name: '{}' }],
  }
  return {
    group: 'statistics',
    insight,
    isStateful: () => true,
    check: (constants) => checkWhole(constants, 'window'),
    ...(isLikeValues ? { chooseOutlets: outletsLikeInlet(insight) } : {}),
    process: stepping<Window>((state, { ts, value }, constants) => {
      const most = Math.min(
        numberIn(constants, 'window', windowDefault),
        pipelineLimits.functionWindowValuesMax,
      )
      const seconds = numberIn(constants, 'seconds', 0)
      const from = seconds === 0 ? Number.NEGATIVE_INFINITY : ts - seconds * usPerSecond
      const before = (state?.values ?? []).filter(([at]) => at > from)
      const values = [...before, [ts, Number(value)] as [number, number]].slice(-most)
      return { state: { values }, value: compute(values.map(([, number]) => number)) }
    }),
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / values.length

/** The deviation of all values of the window, not of a sample: of one value it is 0. */
function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

/** Figures of a window of values. */
export const statistics: readonly Builtin[] = [
  define({
    id: 'moving_average',
    name: 'Moving average',
    description: 'The mean of the newest values.',
    compute: mean,
    isLikeValues: true,
  }),
  define({
    id: 'minimum',
    name: 'Minimum',
    description: 'The least of the newest values.',
    compute: (values) => values.reduce((least, value) => Math.min(least, value)),
    isLikeValues: true,
  }),
  define({
    id: 'maximum',
    name: 'Maximum',
    description: 'The greatest of the newest values.',
    compute: (values) => values.reduce((most, value) => Math.max(most, value)),
    isLikeValues: true,
  }),
  define({
    id: 'sum',
    name: 'Sum',
    description: 'The sum of the newest values.',
    compute: sum,
    isLikeValues: true,
  }),
  define({
    id: 'standard_deviation',
    name: 'Standard deviation',
    description: 'How far the newest values are from their mean.',
    compute: deviation,
    isLikeValues: false,
  }),
]
