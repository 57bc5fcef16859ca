import {
  checkJson,
  Fault,
  isJsonObject,
  type JsonObject,
  jsonBounds,
  parseOwnJson,
  withoutMark,
} from '../../../foundation/kernel/index.ts'
import type { WritePoint } from '../../../log/eventlog/index.ts'
import type { Device } from '../../provisioning/index.ts'
import { acceptValue, type DeviceWrites } from '../http/write.ts'
import { deviceApiLimits } from '../limits.ts'
import { quoteNumbers } from './quote-numbers.ts'
import { parseStamp } from './stamp.ts'

/** In `[{"values": {"<alias>": value}}]` the values lie in three brackets. */
const valuesDepth = 3

/**
 * Reads `[{"timestamp": <s or µs>, "values": {"<alias>": value}}]`. A point without a timestamp is
 * of now. If two values have one alias and one stamp, the last one counts.
 * @throws Fault `malformed_request`, `too_large`, `value_refused`: then nothing of it is written.
 */
export function parseBatch(device: Device, text: string, nowUs: number): DeviceWrites {
  const times = new Map<number, Record<string, string>>()
  const unknown = new Set<string>()
  let count = 0
  for (const { stamp, values } of parsePoints(text, nowUs)) {
    for (const [alias, value] of Object.entries(values)) {
      count += 1
      if (count > deviceApiLimits.pointsPerRecordMax) {
        throw new Fault('too_large', `More than ${deviceApiLimits.pointsPerRecordMax} values.`)
      }
      const written = acceptValue(device, alias, formatValue(alias, value))
      if (written === undefined) {
        unknown.add(alias)
        continue
      }
      const those = times.get(stamp) ?? Object.create(null)
      those[alias] = written
      times.set(stamp, those)
    }
  }
  return { payload: byTime(times), unknown: [...unknown] }
}

type Point = { readonly stamp: number; readonly values: JsonObject }

function parsePoints(text: string, nowUs: number): Point[] {
  const points = pointsIn(text)
  if (!Array.isArray(points)) throw malformed('A batch is a list of points.')
  if (points.length > deviceApiLimits.pointsPerRecordMax) {
    throw new Fault('too_large', `More than ${deviceApiLimits.pointsPerRecordMax} points.`)
  }
  return points.map((point: unknown) => {
    if (!isJsonObject(point) || !isJsonObject(point.values)) {
      throw malformed('A point of a batch is {"timestamp": …, "values": {…}}.')
    }
    const { timestamp = nowUs, values } = point
    const stamp =
      typeof timestamp === 'number' || typeof timestamp === 'string'
        ? parseStamp(String(timestamp))
        : undefined
    if (stamp === undefined) {
      throw malformed('A timestamp is neither in seconds nor in microseconds.')
    }
    return { stamp, values }
  })
}

/** Its numbers are texts, as they were typed. A point has two objects and up to four texts. */
function pointsIn(text: string): unknown {
  try {
    const most = 5 * deviceApiLimits.pointsPerRecordMax
    const plain = withoutMark(text)
    checkJson(plain, { ...jsonBounds(), values: most, texts: most })
    return parseOwnJson(quoteNumbers(plain, valuesDepth))
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('malformed_request', 'A batch is not JSON.', { cause: error })
  }
}

function formatValue(alias: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) throw new Fault('value_refused', `${alias}: must not be null`)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function byTime(times: ReadonlyMap<number, Record<string, string>>): WritePoint[] {
  return [...times].sort(([a], [b]) => a - b).map(([timestamp, values]) => ({ timestamp, values }))
}

function malformed(detail: string): Fault {
  return new Fault('malformed_request', detail)
}
