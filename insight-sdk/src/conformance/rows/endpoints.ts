import { isObject } from '../../protocol/reading.ts'
import { readInsight } from '../../protocol.ts'
import { type Answer, faultOfFailure, faultOfSuccess } from '../caller.ts'
import type { Evidence } from '../evidence.ts'
import { type Found, fieldRows, isNumber, isString, type Row } from './row.ts'

function endpoint(name: string, rule: string, answers: (evidence: Evidence) => Answer[]): Row {
  return { name, rule, look: (evidence) => answers(evidence).map(faultOfSuccess) }
}

const success: readonly Row[] = [
  endpoint('GET /interface', "the module's OpenAPI definition", (it) => [it.definition]),
  endpoint('GET /info', '200, InsightInfoResults', (it) => [it.info]),
  endpoint('POST /insights', '200, InsightListResults', (it) => [it.list, it.window]),
  {
    name: 'GET /insight/{function_id}',
    rule: '200, InsightInfo: the function as the list has it',
    look: ({ functions }) =>
      functions.flatMap(({ where, insight, described }) => {
        if (described === undefined) return []
        const fault = faultOfSuccess(described)
        if (fault !== undefined) return [`${where}: ${fault}`]
        const read = readInsight(described.json)
        const isSame =
          read.error === undefined && JSON.stringify(read.value) === JSON.stringify(insight)
        return [isSame ? undefined : `${where} differs from the list`]
      }),
  },
  endpoint('POST /process', '200, array of arrays of SignalData', ({ functions }) =>
    functions.flatMap(({ sample }) => (sample === undefined ? [] : [sample.answer])),
  ),
  {
    name: 'POST /lifecycle',
    rule: 'called if wants_lifecycle_events is true; any response is ignored',
    look: ({ lifecycle }) =>
      lifecycle.map(({ call, answer: { status, unreachable } }) => {
        const isServed = status !== 0 && status !== 404 && status !== 405
        return isServed ? undefined : `${call}: ${unreachable ?? `answered ${status}`}`
      }),
  },
]

const events: readonly Row[] = [
  ['event', '(create|delete)'],
  ['id', 'string: id of the linkage concerned'],
  ['args', 'object: arguments of the linkage'],
].map(([key, rule = '']) => ({
  name: `LifecycleEvent.${key}`,
  rule: `${rule}; taken`,
  look: ({ lifecycle }) =>
    lifecycle.map(({ call, answer }) =>
      answer.status === 400 || answer.status === 422
        ? `${call}: answered ${answer.status}`
        : undefined,
    ),
}))

function failures({ failures: called }: Evidence): Found[] {
  return called.flatMap(({ call, answer }) =>
    answer.status >= 400 && isObject(answer.json) ? [[call, answer.json] as const] : [],
  )
}

const errors: readonly Row[] = [
  {
    name: 'default: ErrorResponse',
    rule: 'any other answer is an ErrorResponse',
    look: ({ failures: called }) =>
      called.map(({ call, answer }) => {
        const fault = faultOfFailure(answer)
        return fault === undefined ? undefined : `${call}: ${fault}`
      }),
  },
  ...fieldRows(failures, [
    { name: 'ErrorResponse.message', rule: 'string: error message', required: true, is: isString },
    {
      name: 'ErrorResponse.status',
      rule: 'number: numerical error code',
      required: true,
      is: isNumber,
    },
    { name: 'ErrorResponse.name', rule: 'string: error type', required: true, is: isString },
  ]),
]

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const transport: readonly Row[] = [
  {
    name: 'transport is HTTPS',
    rule: 'HTTPS only; not looked at on this machine',
    look: ({ url }) => {
      if (loopback.test(url.hostname)) return []
      return [url.protocol === 'https:' ? undefined : `${url.origin} is not https`]
    },
  },
  {
    name: 'transport is JSON',
    rule: 'JSON only',
    look: (evidence) =>
      listAnswers(evidence).map(({ contentType }) =>
        /^application\/json\b/i.test(contentType)
          ? undefined
          : `an answer of content type ${JSON.stringify(contentType)}`,
      ),
  },
]

/** The answers with a body; that of a lifecycle event is ignored. */
function listAnswers({ definition, info, list, window, functions, failures: called }: Evidence) {
  const all = [definition, info, list, window, ...called.map(({ answer }) => answer)]
  const ofFunctions = functions.flatMap(({ described, sample }) => [described, sample?.answer])
  return [...all, ...ofFunctions].flatMap((answer) =>
    answer === undefined || answer.unreachable !== undefined ? [] : [answer],
  )
}

export const endpointRows: readonly Row[] = [...transport, ...success, ...errors, ...events]
