import { limits } from '../../foundation/kernel/index.ts'
import type { Severity } from './kinds.ts'
import { cleanText, formatKey, type KeyedLine, type LogSchema } from './line.ts'

export type NewAssetLine = {
  readonly businessId: string
  readonly assetId: string
  readonly severity: Severity
  readonly text: string
  /** When it happened, in microseconds; now if it is left out. */
  readonly happenedAt?: number | undefined
}

/** A line of an asset's log; its key has the time of the writing. */
export type AssetLine = KeyedLine & {
  readonly severity: Severity
  readonly text: string
  readonly happenedAt: number
}

/** Lines are written in the transactions of their causes, which are few: nothing is folded. */
export const assetLog: LogSchema<AssetLine, NewAssetLine, object> = {
  owner: 'asset',
  about: { kind: 'log', severity: 'warning' satisfies Severity },
  retentionHours: () => limits.assetLineHours,
  foldKey: () => undefined,
  budgetKey: ({ ownerId }) => ownerId,
  budgetName: () => '',
  toStored: ({ businessId, assetId, severity, text, happenedAt }, at) => ({
    businessId,
    ownerId: assetId,
    at,
    kind: 'log',
    severity,
    subject: null,
    code: null,
    text: cleanText(text),
    count: 1,
    details: happenedAt === undefined ? {} : { happenedAt },
  }),
  fromStored({ at, part, seq, severity, text, details }) {
    const { happenedAt = at } = details as Partial<AssetLine>
    const key = { at, part, seq }
    return { ...key, id: formatKey(key), severity: severity as Severity, text, happenedAt }
  },
  toFilter: () => ({}),
}
