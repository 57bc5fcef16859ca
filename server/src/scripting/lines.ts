import type { Database } from '../database/index.ts'
import { limits } from '../kernel/index.ts'
import type { LogLevel } from './program.ts'
import {
  logLevels,
  newestLineKey,
  oldestLineKey,
  type ScriptLine,
  type ScriptLineKey,
  type ScriptLineKind,
  scriptLineKinds,
} from './script-line.ts'
import { readLineHorizon, readLines } from './store/lines.ts'

/** Which lines are meant; what is left out matches all. */
export type ScriptLineFilter = {
  readonly levels?: readonly LogLevel[] | undefined
  readonly kinds?: readonly ScriptLineKind[] | undefined
  readonly trackingId?: string | undefined
  /** Part of the text; letter case does not count. */
  readonly text?: string | undefined
}

export type ScriptLinesAsked = ScriptLineFilter & {
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

/** One solution's log. A search looks at no more than `limits.lineSearchMax` lines at once. */
export async function readLinePage(
  database: Database,
  businessId: string,
  solutionId: string,
  asked: ScriptLinesAsked,
): Promise<ScriptLinePage> {
  const { before = newestLineKey } = asked
  const limit = Math.min(asked.limit ?? limits.pageDefault, limits.pageMax)
  const searched = limits.lineSearchMax
  const fromUs = await readLineHorizon(database, solutionId, before.at, searched)
  const newerThan = { ...oldestLineKey, at: fromUs }
  const range = { newerThan, olderThan: before, limit }
  const lines = await readLineRange(database, businessId, solutionId, asked, range)
  if (lines.length === limit) return { lines, before: lines.at(-1) }
  return { lines, before: fromUs === 0 ? undefined : newerThan }
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
