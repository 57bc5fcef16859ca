import type { Queryable } from '../../foundation/database/index.ts'
import { assetLimits } from './limits.ts'
import type { AssetsOptions } from './options.ts'
import { holdPresent } from './store/assets.ts'
import { holdNames } from './store/signals.ts'
import type { LogLine, NewLogLine } from './types.ts'

/** Adds a line to an asset's log; nothing if the asset is gone. */
export async function log(
  { activity }: AssetsOptions,
  queryable: Queryable,
  businessId: string,
  assetId: string,
  { at, severity, text }: NewLogLine,
): Promise<void> {
  if (!(await holdPresent(queryable, businessId, assetId))) return
  const line = { businessId, assetId, severity, text, happenedAt: at }
  await activity.assets.writeIn(queryable, [line], { kept: assetLimits.assetLinesMax })
}

/** Adds a warning about each of the signals to the logs of their assets. */
export async function logSignals(
  { activity }: AssetsOptions,
  queryable: Queryable,
  keys: readonly number[],
  text: string,
): Promise<void> {
  const signals = await holdNames(queryable, keys)
  const lines = signals.map(({ businessId, assetId, name }) => ({
    businessId,
    assetId,
    severity: 'warning' as const,
    text: `${name}: ${text}`,
  }))
  await activity.assets.writeIn(queryable, lines, { kept: assetLimits.assetLinesMax })
}

/** Newest first. */
export async function listLines(
  { activity }: AssetsOptions,
  businessId: string,
  assetId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<LogLine[]> {
  const lines = await activity.assets.list(businessId, assetId, page)
  return lines.map(({ happenedAt: at, severity, text }) => ({ at, severity, text }))
}
