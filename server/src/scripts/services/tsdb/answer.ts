import type { StaticResult } from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import type { tsdbOperations } from './operations.ts'
import type { PointValue, Query } from './point.ts'
import type { Reading, Sampled } from './store.ts'

type QueryResult = StaticResult<typeof tsdbOperations.schemas.query.result>
type Cell = { readonly ts: number; readonly metric: string; readonly value: ScriptValue }

/** The values themselves. */
export function makeAnswer(query: Query, readings: readonly Reading[]): QueryResult {
  return shape(query, readings)
}

/** A single aggregate is its number; several are a table by name. */
export function makeSampledAnswer(query: Query, sampled: readonly Sampled[]): QueryResult {
  const [first, ...others] = query.aggregates
  return shape(
    query,
    sampled.map((one) => ({
      ts: one.ts,
      metric: one.metric,
      value:
        first !== undefined && others.length === 0
          ? one[first]
          : Object.fromEntries(query.aggregates.map((name) => [name, one[name]])),
    })),
  )
}

/**
 * `merge`: rows of a time and a cell for each metric, null where it has none; two values of a
 * metric at one time, of different tags, make two rows. `split`: a list for each metric.
 */
function shape(query: Query, cells: readonly Cell[]): QueryResult {
  const { metrics, mode, epochUs } = query
  const time = (ts: number) => (epochUs === 1 ? ts : Math.floor(ts / epochUs))
  if (mode === 'split') {
    const values = metrics.map((metric) => [
      metric,
      cells.filter((cell) => cell.metric === metric).map(({ ts, value }) => [time(ts), value]),
    ])
    return { metrics, values: Object.fromEntries(values) }
  }
  return { metrics, columns: ['time', ...metrics], values: merge(metrics, cells, time) }
}

function merge(
  metrics: readonly string[],
  cells: readonly Cell[],
  time: (ts: number) => number,
): ScriptValue[][] {
  const places = new Map(metrics.map((metric, index) => [metric, index + 1]))
  const rows: ScriptValue[][] = []
  let rowsOfTime: ScriptValue[][] = []
  let at: number | undefined
  for (const { ts, metric, value } of cells) {
    const place = places.get(metric)
    if (place === undefined) continue
    if (ts !== at) {
      rowsOfTime = []
      at = ts
    }
    let row = rowsOfTime.find((one) => one[place] === null)
    if (row === undefined) {
      row = [time(ts), ...metrics.map((): PointValue | null => null)]
      rowsOfTime.push(row)
      rows.push(row)
    }
    row[place] = value
  }
  return rows
}
