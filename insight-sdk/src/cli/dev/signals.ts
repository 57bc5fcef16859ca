import { readFile } from 'node:fs/promises'
import { isObject, type JsonObject } from '../../protocol/reading.ts'
import type { Insight, JsonValue, ProcessRequest, SignalData } from '../../protocol.ts'

/** Recorded signals of one function, as `signals.json` has them. */
export type Recording = {
  readonly constants: ProcessRequest['args']['constants']
  readonly data: readonly JsonObject[]
}

const usPerMs = 1000
const simulatedCount = 5

/**
 * Reads recorded signals by function id; none if there is no such file.
 *
 * @throws TypeError if the file is not `{"<function>": {"constants": {}, "data": [{"value": 1}]}}`
 */
export async function readRecordings(file: string): Promise<ReadonlyMap<string, Recording>> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return new Map()
  const json = parse(text)
  const entries = isObject(json) ? Object.entries(json) : []
  return new Map(entries.map(([id, given]) => [id, parseRecording(file, id, given)]))
}

function parseRecording(file: string, id: string, given: unknown): Recording {
  const { constants = {}, data } = isObject(given) ? given : {}
  if (!Array.isArray(data) || !data.every(isObject) || !isObject(constants)) {
    throw new TypeError(`${file}: ${id} is not {"constants": {}, "data": [{"value": 1}]}`)
  }
  return { constants: constants as Recording['constants'], data }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`the recorded signals are no JSON: ${(error as Error).message}`)
  }
}

/** The calls of one function, one for each signal: the recorded ones, else simulated ones. */
export function makeCalls(
  insight: Insight,
  recording: Recording | undefined,
  nowMs: number,
): ProcessRequest[] {
  const constants = { ...defaultConstants(insight), ...recording?.constants }
  const signals = recording?.data ?? simulated(insight)
  const args = { function_id: insight.id, constants }
  return signals.map((given, index) => {
    const ts = (nowMs + index * 1000) * usPerMs
    return { id: `dev-${insight.id}`, data: [toSignal(given, ts)], args }
  })
}

/** A recorded signal with what it leaves out. */
function toSignal({ inlet, ...given }: JsonObject, ts: number): SignalData {
  const origin = 'connector.device.data_in.001'
  const tags = typeof inlet === 'string' ? { inlet } : {}
  return { ts, value: null, origin, generated: origin, tags, ...given }
}

function defaultConstants({ constants }: Insight): Recording['constants'] {
  const given = constants.flatMap(({ name, default: preset, enum: allowed, minimum }) => {
    const value = preset ?? allowed?.[0] ?? minimum
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** A few values for each inlet: a wave of numbers, or values that alternate. */
function simulated({ inlets }: Insight): JsonObject[] {
  return Array.from({ length: simulatedCount }, (_, index) =>
    inlets.map(({ tag, primitive_type: type }, at) => ({
      inlet: tag ?? String(at),
      value: simulatedValue(type, index),
    })),
  ).flat()
}

function simulatedValue(type: string | undefined, index: number): JsonValue {
  if (type === 'STRING') return index % 2 === 0 ? 'open' : 'closed'
  if (type === 'BOOLEAN') return index % 2 === 0
  return type === 'JSON' ? { count: index } : Math.round(1000 * Math.sin(index)) / 10
}
