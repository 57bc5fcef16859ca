import type { Queryable } from '../database/index.ts'
import { limits } from '../kernel/index.ts'
import { cut } from './check.ts'
import type { AssetsOptions } from './ports.ts'
import { addLine } from './store/lines.ts'
import type { NewLogLine } from './types.ts'

/** Truncates a line to the limit: a failing module may answer with a page of HTML. */
export function log(
  { clock }: AssetsOptions,
  queryable: Queryable,
  businessId: string,
  assetId: string,
  { at, severity, text }: NewLogLine,
): Promise<void> {
  const line = { at: at ?? clock.nowUs(), severity, text: cut(text, limits.assetLineCharsMax) }
  return addLine(queryable, businessId, assetId, line)
}
