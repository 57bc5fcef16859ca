import type { Database } from '../../database/index.ts'
import { type Clock, type Logger, limits } from '../../kernel/index.ts'
import type { Program, ScriptContext } from '../registry/program.ts'
import type { Trace } from '../runtime/engine.ts'
import type { HostEnd, HostHooks } from '../runtime/host.ts'
import { deleteOldLines, type NewScriptLine } from '../store/lines.ts'
import { createLineTails, type ScriptTail } from './line-tail.ts'
import { LineWriter } from './line-writer.ts'
import { readLinePage, type ScriptLinePage, type ScriptLinesQuery } from './lines.ts'

/** Log lines of scripts and ends of their calls. Best effort: a crash loses the last lines. */
export type SolutionLog = {
  /** Both return at once and never fail. */
  readonly write: HostHooks['log']
  callEnded(program: Program, handler: string, context: ScriptContext, end: HostEnd): void
  /** Newest first. */
  lines(businessId: string, solutionId: string, asked?: ScriptLinesQuery): Promise<ScriptLinePage>
  /** Calls the listener with new lines, oldest first, until the returned function is called. */
  tail(tail: ScriptTail): () => void
  /** Writes what was said so far. */
  flush(): Promise<void>
  /** Removes what is older than `limits.scriptLineHours`. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export type SolutionLogNeeds = {
  readonly database: Database
  readonly clock: Clock
  readonly logger: Logger
}

const usPerHour = 3_600_000_000

export function createSolutionLog(needs: SolutionLogNeeds): SolutionLog {
  const { database, clock } = needs
  const tails = createLineTails(needs)
  const writer = new LineWriter(needs, tails.notify)
  return {
    write({ program: { businessId, solutionId }, context, handler = '', level, text }) {
      const { service = '', tracking_id: trackingId = '' } = context ?? {}
      const where = { businessId, solutionId, service, handler, trackingId }
      writer.write({ ...where, kind: 'log', level, text: clean(text) })
    },
    callEnded({ businessId, solutionId }, handler, { service, tracking_id: trackingId }, end) {
      const where = { businessId, solutionId, service, handler, trackingId, usage: end.usage }
      writer.write({ ...where, ...sentenceOf(end) })
    },
    lines: (businessId, solutionId, asked = {}) =>
      readLinePage(database, businessId, solutionId, asked, clock.nowUs()),
    tail: tails.follow,
    flush: () => writer.flush(),
    async sweep() {
      const beforeUs = clock.nowUs() - limits.scriptLineHours * usPerHour
      const count = limits.retentionBatchMax
      while ((await deleteOldLines(database, beforeUs, count)) === count);
    },
    async close() {
      await tails.close()
      await writer.close()
    },
  }
}

function sentenceOf(end: HostEnd): Pick<NewScriptLine, 'kind' | 'level' | 'text' | 'trace'> {
  if (end.kind === 'returned') return { kind: 'call', level: 'info', text: 'The call ended.' }
  const { error } = end.error
  const failed = { kind: 'error', level: 'error' } as const
  if (end.kind === 'stopped') {
    const said = error.startsWith(`limit ${end.limit}:`)
    const text = said ? clean(error) : `${clean(error)} (limit ${end.limit})`
    return { ...failed, text, ...traceOf(end) }
  }
  return { ...failed, text: clean(error), ...traceOf(end) }
}

function traceOf({ trace }: { readonly trace?: Trace }): Pick<NewScriptLine, 'trace'> {
  return trace === undefined ? {} : { trace: trace.map(clean) }
}

const nul = /\0/g

/** What a script says may be anything: a line holds it as text that can be stored. */
function clean(text: string): string {
  return text.slice(0, limits.scriptLineCharsMax).toWellFormed().replace(nul, '\ufffd')
}
