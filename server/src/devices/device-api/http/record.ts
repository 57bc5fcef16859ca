import { Fault } from '../../../foundation/kernel/index.ts'
import type { WritePoint } from '../../../log/eventlog/index.ts'
import type { Device } from '../../provisioning/index.ts'
import type { FormPair } from './form.ts'
import { acceptValue, type DeviceWrites } from './write.ts'

/** Stamps of one alias that lie less than a second apart, as they were sent. */
export type Conflict = { readonly alias: string; readonly stamps: readonly string[] }

const usPerSecond = 1_000_000
const stampPattern = /^\d{1,11}(\.\d{1,6})?$/

type Point = { readonly stamp: string; readonly at: number; readonly value: string }

/**
 * Reads `alias=A&<ts>=<v>&<ts>=<v>&alias=B&…`: the order of the keys has the meaning.
 * @returns the points of known aliases, or the conflicts that refuse the whole body.
 * @throws Fault `malformed_request` for a stamp that is none or that stands before any alias.
 */
export function parseRecord(
  device: Device,
  pairs: readonly FormPair[],
): DeviceWrites | readonly Conflict[] {
  const { points, unknown } = collect(device, pairs)
  const conflicts = [...points].flatMap(([alias, those]) => findConflict(alias, those))
  return conflicts.length > 0 ? conflicts : { payload: byTime(points), unknown: [...unknown] }
}

/** `A=<ts>,<ts>`, an alias each, as the field expects it. */
export function formatConflicts(conflicts: readonly Conflict[]): string {
  return conflicts.map(({ alias, stamps }) => `${alias}=${stamps.join(',')}`).join('&')
}

function collect(device: Device, pairs: readonly FormPair[]) {
  const points = new Map<string, Point[]>()
  const unknown = new Set<string>()
  let alias: string | undefined
  for (const { key, value } of pairs) {
    if (key === 'alias') {
      alias = value
      continue
    }
    if (alias === undefined)
      throw new Fault('malformed_request', 'A timestamp comes before the first alias.')
    if (!stampPattern.test(key))
      throw new Fault('malformed_request', `"${key}" is not a timestamp.`)
    const stored = acceptValue(device, alias, value)
    if (stored === undefined) {
      unknown.add(alias)
      continue
    }
    const those = points.get(alias) ?? []
    those.push({ stamp: key, at: Math.round(Number(key) * usPerSecond), value: stored })
    points.set(alias, those)
  }
  return { points, unknown }
}

function findConflict(alias: string, points: readonly Point[]): Conflict[] {
  const sorted = points.toSorted((a, b) => a.at - b.at)
  const stamps = sorted.flatMap((point, index) => {
    const before = sorted[index - 1]
    const after = sorted[index + 1]
    const close =
      (before !== undefined && point.at - before.at < usPerSecond) ||
      (after !== undefined && after.at - point.at < usPerSecond)
    return close ? [point.stamp] : []
  })
  return stamps.length > 0 ? [{ alias, stamps }] : []
}

function byTime(points: ReadonlyMap<string, readonly Point[]>): WritePoint[] {
  const times = new Map<number, Record<string, string>>()
  for (const [alias, those] of points) {
    for (const { at, value } of those) {
      const values = times.get(at) ?? Object.create(null)
      values[alias] = value
      times.set(at, values)
    }
  }
  return [...times].sort(([a], [b]) => a - b).map(([timestamp, values]) => ({ timestamp, values }))
}
