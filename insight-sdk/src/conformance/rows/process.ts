import { describeType, isObject, quote } from '../../protocol/reading.ts'
import type { SignalData } from '../../protocol.ts'
import { faultOfSuccess } from '../caller.ts'
import type { Evidence, FunctionEvidence } from '../evidence.ts'
import { probe } from '../sample.ts'
import {
  type Found,
  fieldRows,
  firstFault,
  type Is,
  isInteger,
  isObjectValue,
  isText,
  type Row,
} from './row.ts'

type Sampled = FunctionEvidence & { readonly sample: NonNullable<FunctionEvidence['sample']> }

function sampled({ functions }: Evidence): Sampled[] {
  return functions.filter((one): one is Sampled => one.sample !== undefined)
}

/** Every SignalData that a function answered. */
function readSignals({ where, sample }: Sampled): Found[] {
  const outlets: unknown = sample.answer.json
  return (Array.isArray(outlets) ? outlets : []).flatMap((outlet: unknown, index) =>
    (Array.isArray(outlet) ? outlet : [])
      .filter(isObject)
      .map((signal): Found => [`${where}, outlet ${index}`, signal]),
  )
}

const isValue: Is = (value) => {
  const isKnown = ['string', 'number', 'boolean'].includes(typeof value)
  return isKnown ? undefined : isObjectValue(value, {})
}

const isTags: Is = (value) => {
  const fault = isObjectValue(value, {})
  return fault ?? firstFault(Object.values(value as object), isText)
}

const signal = fieldRows(
  (evidence) => sampled(evidence).flatMap(readSignals),
  [
    {
      name: 'SignalData.ts',
      rule: 'integer: Unix timestamp in microseconds when the data originated',
      required: true,
      is: isInteger,
    },
    {
      name: 'SignalData.value',
      rule: 'string, number or object (the field has booleans too)',
      required: true,
      is: isValue,
    },
    {
      name: 'SignalData.origin',
      rule: 'string of at least one character: the original publishing id',
      required: true,
      is: isText,
    },
    {
      name: 'SignalData.generated',
      rule: 'string of at least one character: the publishing id that created it',
      required: true,
      is: isText,
    },
    {
      name: 'SignalData.gts',
      rule: 'integer: Unix timestamp in microseconds when it was generated',
      is: isInteger,
    },
    {
      name: 'SignalData.tags',
      rule: 'object of string to string, each of at least one character',
      is: isTags,
    },
    { name: 'SignalData.ttl', rule: 'integer', is: isInteger },
  ],
)

function calledWith(name: string, rule: string): Row {
  const look = (evidence: Evidence) =>
    sampled(evidence).map(({ where, sample }) => {
      const fault = faultOfSuccess(sample.answer)
      return fault === undefined ? undefined : `${where}: ${fault}`
    })
  return { name: `ProcessRequest.${name}`, rule, look }
}

const request: readonly Row[] = [
  calledWith('id', 'string: id of this instance of the function in a pipeline; taken'),
  calledWith('data', 'array of SignalData: data to process; taken'),
  calledWith('args', 'object: function_id, group_id, constants; taken'),
]

const rules: readonly Row[] = [
  {
    name: 'process answers outlets',
    rule: 'array of arrays of SignalData: one inner array per outlet, in outlet order',
    look: (evidence) =>
      sampled(evidence)
        .filter(({ sample }) => faultOfSuccess(sample.answer) === undefined)
        .map(({ where, insight, sample }) =>
          faultOfOutlets(where, sample.answer.json, countOutlets(insight)),
        ),
  },
  {
    name: 'process copies its source',
    rule: 'copy all fields of each source SignalData into the new one, then update properties',
    look: (evidence) =>
      sampled(evidence).flatMap((one) =>
        readSignals(one).map(([where, answered]) =>
          one.sample.request.data.some((source) => isCopied(answered, source))
            ? undefined
            : `${where}: origin, ttl or tags.${probe.tag} of the source is lost`,
        ),
      ),
  },
  {
    name: 'process keeps to its answers',
    rule: 'a problem is a new signal on an outlet, or an ErrorResponse; the module stays up',
    look: ({ functions }) =>
      functions.flatMap(({ where, unusable }) => {
        if (unusable === undefined) return []
        const { unreachable, json } = unusable
        const isAnswer = Array.isArray(json) || (isObject(json) && 'message' in json)
        if (unreachable === undefined && isAnswer) return [undefined]
        return [`${where}: a text for a number gave ${unreachable ?? describeType(json)}`]
      }),
  },
]

/** A rule's status comes by its first outlet, whether it declares one or not. */
function countOutlets({ type, outlets }: FunctionEvidence['insight']): number {
  return type === 'rule' ? Math.max(1, outlets.length) : outlets.length
}

function faultOfOutlets(where: string, json: unknown, count: number): string | undefined {
  if (!Array.isArray(json))
    return `${where}: the answer is ${describeType(json)}, not an array of arrays`
  const outlets: readonly unknown[] = json
  const index = outlets.findIndex((outlet) => !Array.isArray(outlet))
  if (index >= 0)
    return `${where}: outlet ${index} is ${describeType(outlets[index])}, not an array`
  const lists = outlets as readonly (readonly unknown[])[]
  const isSilent = lists.every((list) => list.length === 0)
  if (!isSilent && lists.length !== count) {
    return `${where}: ${lists.length} outlets answered, ${count} declared`
  }
  const item = lists.flat().find((one) => !isObject(one))
  return item === undefined ? undefined : `${where}: ${quote(item)} is no SignalData`
}

function isCopied(answered: Found[1], { origin, ttl }: SignalData): boolean {
  const tags: unknown = answered.tags
  const isKept = isObject(tags) && tags[probe.tag] === probe.text
  return isKept && answered.origin === origin && answered.ttl === ttl
}

export const processRows: readonly Row[] = [...request, ...rules, ...signal]
