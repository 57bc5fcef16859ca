import type { Database } from '../../database/index.ts'
import { limits, presentUntil } from '../../kernel/index.ts'
import type { LogLevel } from '../registry/program.ts'
import { hasLineAfter, readLineHorizon, readLines } from '../store/lines.ts'
import {
  logLevels,
  newestLineKey,
  oldestLineKey,
  type ScriptLine,
  type ScriptLineKey,
  type ScriptLineKind,
  scriptLineKinds,
} from './script-line.ts'

/** Which lines are meant; what is left out matches all. */
export type ScriptLineFilter = {
  readonly levels?: readonly LogLevel[] | undefined
  readonly kinds?: readonly ScriptLineKind[] | undefined
  readonly trackingId?: string | undefined
  /** Part of the text; letter case does not count. */
  readonly text?: string | undefined
}

export type ScriptLinesQuery = ScriptLineFilter & {
  /** Lines that are older than this one; without it the newest. */
  readonly before?: ScriptLineKey | undefined
  /** At most `limits.pageMax`. */
  readonly limit?: number | undefined
}

export type ScriptLinePage = {
  /** Newest first. */
  readonly lines: readonly ScriptLine[]
  /** Where an older page begins; undefined at the end. A search may stop with its page not full. */
  readonly before: ScriptLineKey | undefined
}

/**
 * One solution's log. A search looks at no more than `limits.lineSearchMax` lines at once. Lines of
 * the future, which a clock that ran ahead has stamped, come after the oldest ones.
 */
export async function readLinePage(
  database: Database,
  businessId: string,
  solutionId: string,
  asked: ScriptLinesQuery,
  nowUs: number,
): Promise<ScriptLinePage> {
  const present = { at: presentUntil(nowUs), id: 0 }
  const { before = present } = asked
  const isPresent = before.at <= present.at
  const limit = Math.min(asked.limit ?? limits.pageDefault, limits.pageMax)
  const searched = limits.lineSearchMax
  const horizonUs = await readLineHorizon(database, solutionId, before.at, searched)
  const fromUs = isPresent ? horizonUs : Math.max(horizonUs, present.at)
  const newerThan = { ...oldestLineKey, at: fromUs }
  const range = { newerThan, olderThan: before, limit }
  const lines = await readLineRange(database, businessId, solutionId, asked, range)
  if (lines.length === limit) return { lines, before: lines.at(-1) }
  if (fromUs > (isPresent ? 0 : present.at)) return { lines, before: newerThan }
  const future = isPresent && (await hasLineAfter(database, solutionId, present.at))
  return { lines, before: future ? newestLineKey : undefined }
}

export function readLineRange(
  database: Database,
  businessId: string,
  solutionId: string,
  { levels = logLevels, kinds = scriptLineKinds, trackingId, text }: ScriptLineFilter,
  range: {
    readonly newerThan: ScriptLineKey
    readonly olderThan: ScriptLineKey
    readonly limit: number
  },
): Promise<ScriptLine[]> {
  const filter = { levels, kinds, trackingId, text: text?.toLowerCase() }
  return readLines(database, businessId, solutionId, { ...filter, ...range })
}
