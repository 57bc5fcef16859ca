import { limits } from '../../foundation/kernel/index.ts'
import type { LogLevel, SolutionLineKind } from './kinds.ts'
import { cleanText, formatKey, type LineKey, type LogSchema } from './line.ts'
import type { CallUsage, SolutionFilter, SolutionLine } from './schema.ts'

export type NewSolutionLine = Omit<SolutionLine, 'id' | keyof LineKey> & {
  readonly businessId: string
  readonly solutionId: string
}

const budgetNames: Readonly<Record<SolutionLineKind, string>> = {
  log: 'of scripts',
  call: 'of calls',
  error: 'of failures',
  note: 'of notes',
}

/**
 * Each line of a script counts, so none are folded. Each kind has a budget of its own: many calls
 * that succeed must not displace a failure.
 */
export const solutionLog: LogSchema<SolutionLine, NewSolutionLine, SolutionFilter> = {
  owner: 'solution',
  about: { kind: 'note' satisfies SolutionLineKind, severity: 'warn' satisfies LogLevel },
  retentionHours: () => limits.lineRetentionHours,
  foldKey: () => undefined,
  budgetKey: ({ ownerId, kind }) => `${ownerId}/${kind}`,
  budgetName: ({ kind }) => budgetNames[kind as SolutionLineKind],
  toStored({ businessId, solutionId, kind, level, service, handler, trackingId, ...line }, at) {
    const { text, usage, trace } = line
    return {
      businessId,
      ownerId: solutionId,
      at,
      kind,
      severity: level,
      subject: trackingId,
      code: null,
      text: cleanText(text),
      count: 1,
      details: {
        service,
        handler,
        ...(usage && { usage }),
        ...(trace && { trace: trace.map(cleanText) }),
      },
    }
  },
  fromStored({ at, part, seq, subject, text, ...line }) {
    const details = line.details as Partial<SolutionLine>
    return {
      id: formatKey({ at, part, seq }),
      at,
      part,
      seq,
      kind: line.kind as SolutionLineKind,
      level: line.severity as LogLevel,
      service: details.service ?? '',
      handler: details.handler ?? '',
      trackingId: subject ?? '',
      text,
      ...(details.usage && { usage: rounded(details.usage) }),
      ...(details.trace && { trace: details.trace }),
    }
  },
  toFilter: ({ levels, kinds, trackingId, text }) => ({
    subject: trackingId,
    kinds,
    severities: levels,
    text,
  }),
}

function rounded({ cpuMs, wallMs, serviceCalls }: CallUsage): CallUsage {
  return { cpuMs: Math.round(cpuMs * 10) / 10, serviceCalls, wallMs: Math.round(wallMs) }
}
