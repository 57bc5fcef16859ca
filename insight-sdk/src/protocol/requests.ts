import { Complaints, describeType, isObject, present, quote } from './reading.ts'
import { extraFields, readSignal } from './signal.ts'
import {
  functionTypes,
  type History,
  type HistoryPoint,
  type InsightsFilterParams,
  type LifecycleEvent,
  type ProcessArgs,
  type ProcessRequest,
  type SignalData,
} from './types.ts'

// Reads what the platform sends to a module. Strict about what a module relies on; fields that it
// does not know pass by in silence, so that a later platform can add some.

type Read<T> = { readonly value: T; readonly error?: undefined } | { readonly error: string }

/** Reads the body of `POST /insights`. A missing `group_id` means none. */
export function readInsightsFilter(json: unknown): Read<InsightsFilterParams> {
  if (!isObject(json)) return { error: `the body is ${describeType(json)}, not an object` }
  const { group_id: groupId, limit, offset } = json
  if (groupId !== undefined && groupId !== null && typeof groupId !== 'string') {
    return { error: `group_id is ${describeType(groupId)}, not a string` }
  }
  if (!isCount(limit)) return { error: `limit is ${quote(limit)}, not an integer from 0` }
  if (!isCount(offset)) return { error: `offset is ${quote(offset)}, not an integer from 0` }
  return {
    value: present({
      group_id: groupId ?? '',
      limit: limit ?? undefined,
      offset: offset ?? undefined,
    }),
  }
}

function isCount(value: unknown): value is number | null | undefined {
  return (
    value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) >= 0)
  )
}

/** Reads the body of `POST /lifecycle`. */
export function readLifecycleEvent(json: unknown): Read<LifecycleEvent> {
  if (!isObject(json)) return { error: `the body is ${describeType(json)}, not an object` }
  const { event, id } = json
  if (event !== 'create' && event !== 'delete') {
    return { error: `event is ${quote(event)}, not create or delete` }
  }
  if (typeof id !== 'string' || id === '') return { error: 'id is missing' }
  const args = readArgs(json.args ?? {}, false)
  return args.error === undefined ? { value: { event, id, args: args.value } } : args
}

/**
 * Reads the body of the process call. A single SignalData that cannot be read refuses the whole.
 */
export function readProcessRequest(json: unknown): Read<ProcessRequest> {
  if (!isObject(json)) return { error: `the body is ${describeType(json)}, not an object` }
  const { id, data, history } = json
  if (typeof id !== 'string' || id === '') return { error: 'id is missing' }
  if (!Array.isArray(data)) return { error: `data is ${describeType(data)}, not an array` }
  const args = readArgs(json.args, true)
  if (args.error !== undefined) return args
  const signals = readData(data)
  if (signals.error !== undefined) return signals
  if (history !== undefined && history !== null && !isObject(history)) {
    return { error: `history is ${describeType(history)}, not an object` }
  }
  const past = isObject(history) ? readHistory(history) : undefined
  return { value: present({ id, data: signals.value, args: args.value, history: past }) }
}

/** Past values are a help: what cannot be read of them is left out, not refused. */
function readHistory(history: object): History {
  return Object.fromEntries(
    Object.entries(history).map(([signalId, points]) => [
      signalId,
      Array.isArray(points) ? points.filter(isPoint) : [],
    ]),
  )
}

function isPoint(point: unknown): point is HistoryPoint {
  return isObject(point) && Number.isSafeInteger(point.ts) && point.value !== undefined
}

function readData(data: readonly unknown[]): Read<SignalData[]> {
  const signals: SignalData[] = []
  for (const [index, item] of data.entries()) {
    const complaints = new Complaints()
    const signal = readSignal(item, `data ${index}`, complaints, complaints)
    if (signal === undefined) return { error: complaints.list().join('; ') }
    // Rule 2 of the spec copies all fields of a source, so unknown ones are kept too.
    signals.push({ ...extraFields(item), ...signal })
  }
  return { value: signals }
}

function readArgs(json: unknown, required: boolean): Read<ProcessArgs> {
  if (!isObject(json)) return { error: `args is ${describeType(json)}, not an object` }
  const { function_id: functionId, group_id: groupId, constants, type, name } = json
  const { insight_id: insightId } = json
  if (typeof functionId !== 'string' && (required || functionId !== undefined)) {
    return { error: 'args.function_id is missing' }
  }
  if (constants !== undefined && constants !== null && !isObject(constants)) {
    return { error: `args.constants is ${describeType(constants)}, not an object` }
  }
  return {
    value: present({
      function_id: typeof functionId === 'string' ? functionId : '',
      group_id: typeof groupId === 'string' && groupId !== '' ? groupId : undefined,
      type: functionTypes.find((one) => one === type),
      name: typeof name === 'string' ? name : undefined,
      insight_id: typeof insightId === 'string' ? insightId : undefined,
      constants: (constants ?? {}) as ProcessArgs['constants'],
    }),
  }
}
