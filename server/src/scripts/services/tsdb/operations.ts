import {
  AnyValue,
  defineOperations,
  EmptyObject,
  RecordOf,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { tsdbLimits } from './limits.ts'
import { aggregates } from './point.ts'
import { relativeRule, spanRule, timeRule } from './times.ts'

/** Tags of one datapoint. */
const tsdbTagsMax = 20
/** Times in the answer of a query without a limit. */
const tsdbRows = 1_000
/** Times in one answer of a query. */
const tsdbRowsMax = 10_000

/* `times.ts` and `arguments.ts` check what a type does not say: units, ranges and sizes. */

function createTags() {
  return RecordOf(
    Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
      rule: `must be a text of 1 to ${tsdbLimits.tsdbNameCharsMax} characters`,
    }),
    {
      description: 'Texts by their names.',
      default: {},
      maxProperties: tsdbTagsMax,
      rule: `must be a table of at most ${tsdbTagsMax} texts by name`,
    },
  )
}

function time(description: string) {
  return Type.Optional(Type.Union([Type.Number(), Type.String()], { description, rule: timeRule }))
}

function span(description: string, rule: string) {
  return Type.Optional(Type.String({ description, rule }))
}

function createPoint() {
  const { tsdbMetricsMax, tsdbTextBytesMax } = tsdbLimits
  return StrictObject({
    metrics: RecordOf(
      Type.Union([Type.Number(), Type.Boolean(), Type.String()], {
        rule: `must be a number, a boolean, or a text of at most ${tsdbTextBytesMax} bytes`,
      }),
      {
        description: 'Values by the names of their metrics: numbers, booleans or texts.',
        maxProperties: tsdbMetricsMax,
        rule: `must be a table of 1 to ${tsdbMetricsMax} values by name`,
      },
    ),
    tags: createTags(),
    ts: time('Microseconds since 1970, or a text such as `1487021046s`; now if left out.'),
  })
}

function createQuery() {
  const { tsdbMetricsMax } = tsdbLimits
  return StrictObject({
    metrics: Type.Array(Type.String(), {
      description: 'The names of the metrics.',
      minItems: 1,
      maxItems: tsdbMetricsMax,
      rule: `must be a list of 1 to ${tsdbMetricsMax} names`,
    }),
    tags: createTags(),
    start_time: time('The start of the range: microseconds, or a text such as `1487021046s`.'),
    end_time: time('The end of the range, which does not belong to it.'),
    relative_start: span('The start of the range before now: a text such as `-3h`.', relativeRule),
    relative_end: span('The end of the range before now.', relativeRule),
    sampling_size: span('The length of a bucket: a text such as `10m`.', spanRule),
    aggregate: Type.Array(
      Type.Enum([...aggregates], { rule: `must be of ${aggregates.join(', ')}` }),
      {
        description: 'What to compute of each bucket.',
        default: [],
        itemAsList: true,
        rule: 'must be a list',
      },
    ),
    mode: Type.Enum(['merge', 'split'], {
      description: 'One table of all metrics, or a list for each.',
      default: 'merge',
      rule: 'must be merge or split',
    }),
    order_by: Type.Enum(['asc', 'desc'], {
      description: 'The order of the times.',
      default: 'desc',
      rule: 'must be asc or desc',
    }),
    limit: Type.Integer({
      description: 'The most rows.',
      minimum: 1,
      maximum: tsdbRowsMax,
      default: tsdbRows,
      rule: `must be 1 to ${tsdbRowsMax}`,
    }),
    epoch: Type.Enum(['u', 'ms', 's'], {
      description: 'The unit of the times in the result.',
      default: 'u',
      rule: 'must be u, ms or s',
    }),
  })
}

export const tsdbOperations = defineOperations(() => ({
  write: {
    description: 'Stores values of one time.',
    args: createPoint(),
    result: EmptyObject(),
  },
  multiWrite: {
    description: 'Stores values of several times.',
    args: StrictObject({
      datapoints: Type.Array(createPoint(), {
        description: 'Each as the arguments of `write`.',
        maxItems: tsdbLimits.tsdbPointsPerCallMax,
        rule: `must be a list of at most ${tsdbLimits.tsdbPointsPerCallMax}`,
      }),
    }),
    result: EmptyObject(),
  },
  query: {
    description: 'Reads values of metrics, or aggregates of them.',
    reads: true,
    args: createQuery(),
    result: StrictObject({
      metrics: Type.Array(Type.String()),
      columns: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Of the mode `merge`: `time`, then the metrics.',
        }),
      ),
      values: AnyValue<ScriptValue>({
        description: 'Of `merge` a list of rows; of `split` lists of times and values by metric.',
      }),
    }),
  },
}))
