import { describeType, isObject, type JsonObject, quote } from '../../protocol/reading.ts'
import { readInsights } from '../evidence.ts'
import {
  type Found,
  fieldRows,
  firstFault,
  isBoolean,
  isInteger,
  isList,
  isObjectValue,
  isString,
  isTranslations,
  type Row,
} from './row.ts'

const words = isTranslations({ name: isString, description: isString })

const info = fieldRows(
  (evidence): Found[] => (isObject(evidence.info.json) ? [['info', evidence.info.json]] : []),
  [
    {
      name: 'InsightInfoResults.group_id_required',
      rule: 'boolean: true when listing functions requires a group_id',
      required: true,
      is: isBoolean,
    },
    { name: 'InsightInfoResults.name', rule: 'string: presented name', is: isString },
    { name: 'InsightInfoResults.description', rule: 'string: Markdown allowed', is: isString },
    {
      name: 'InsightInfoResults.wants_lifecycle_events',
      rule: 'boolean: the module wants lifecycle notifications',
      is: isBoolean,
    },
    {
      name: 'InsightInfoResults.translations',
      rule: 'object by language code: name, description',
      is: words,
    },
  ],
)

function toList(json: unknown): JsonObject[] {
  return isObject(json) ? [json] : []
}

const readIds = (json: unknown) => readInsights(json).map(({ id }) => id)

const filter: readonly Row[] = [
  {
    name: 'InsightsFilterParams.group_id',
    rule: 'string: which group of functions to list; the module may ignore it; required',
    look: ({ list }) => [
      isObject(list.json) && Array.isArray(list.json.insights)
        ? undefined
        : `with a group_id there is no list of functions, but ${describeType(list.json)}`,
    ],
  },
  {
    name: 'InsightsFilterParams.limit',
    rule: 'integer: maximum number of functions to return; optional',
    look: ({ window }) =>
      toList(window.json).map((json) => {
        const { length } = readInsights(json)
        return length <= 1 ? undefined : `limit 1 gave ${length} functions`
      }),
  },
  {
    name: 'InsightsFilterParams.offset',
    rule: 'integer: offset into the returned functions; optional',
    look: ({ list, window }) =>
      toList(window.json).map((json) => {
        const expected = readIds(list.json)[1]
        const given = readIds(json)[0]
        const what = `offset 1 gave ${quote(given ?? null)}, not ${quote(expected ?? null)}`
        return given === expected ? undefined : what
      }),
  },
]

const list = fieldRows(
  ({ list: answer, window }): Found[] => [
    ...toList(answer.json).map((json): Found => ['list', json]),
    ...toList(window.json).map((json): Found => ['list with limit 1', json]),
  ],
  [
    {
      name: 'InsightListResults.total',
      rule: 'integer: total number of functions in the group',
      required: true,
      is: (value, { count }) =>
        isInteger(value, {}) ??
        (Number(value) < Number(count) ? `is ${value}, less than count ${count}` : undefined),
    },
    {
      name: 'InsightListResults.count',
      rule: 'integer: number of functions returned',
      required: true,
      is: (value, { insights }) =>
        isInteger(value, {}) ??
        (Array.isArray(insights) && insights.length !== value
          ? `is ${value}, and ${insights.length} functions came`
          : undefined),
    },
    {
      name: 'InsightListResults.insights',
      rule: 'array of InsightInfo: the functions',
      required: true,
      is: (value) => isList(value, {}) ?? firstFault(value as readonly unknown[], isObjectValue),
    },
  ],
)

export const listingRows: readonly Row[] = [...info, ...filter, ...list]
