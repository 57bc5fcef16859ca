import type { Platform } from '../../../server/src/platform/platform.ts'

const weekUs = 7 * 24 * 3_600 * 1_000_000
const signalsAtOnce = 100

/**
 * Fills the history of this week with `values` values, as many for each signal, evenly spaced from
 * the week's begin to now.
 * @returns the bytes of the table with its index.
 */
export async function fillHistory(platform: Platform, values: number): Promise<number> {
  const { assets, clock, database } = platform
  await assets.ensurePartitions(clock.nowUs())
  const keys = await database.rows<{ key: number }>('select key from assets_signal order by key')
  if (keys.length === 0) throw new Error('no signals to fill')
  const nowUs = Date.now() * 1_000
  const fromUs = Math.floor(nowUs / weekUs) * weekUs
  const each = Math.ceil(values / keys.length)
  const stepUs = Math.floor((nowUs - fromUs) / each)
  if (stepUs < 1) throw new Error('more values than microseconds')
  for (let at = 0; at < keys.length; at += signalsAtOnce) {
    const some = keys.slice(at, at + signalsAtOnce).map(({ key }) => key)
    await database.run(fill, [some, fromUs, stepUs, each])
  }
  await database.run('vacuum analyze assets_value')
  const [size] = await database.rows<{ bytes: number }>(sizeOfHistory)
  return Number(size?.bytes)
}

const fill = `
insert into assets_value (signal_key, ts, v)
select k.key, $2::bigint + n * $3::bigint, (n % 400) / 10.0
from unnest($1::bigint[]) with ordinality k(key, at), generate_series(0, $4::int - 1) n
order by k.at, n
on conflict do nothing`

const sizeOfHistory = `
select sum(pg_total_relation_size(inhrelid)) as bytes
from pg_inherits where inhparent = 'assets_value'::regclass`
