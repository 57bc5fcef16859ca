import type { EntryKind, entryKinds } from '../eventlog/index.ts'

/** The owners of activity logs. */
export type OwnerKind = 'connector' | 'solution' | 'asset'

/** Kinds of entries of the event log that are lines of their connector's log. */
export type ShownEntryKind = {
  [Kind in EntryKind]: (typeof entryKinds)[Kind] extends { readonly line: string } ? Kind : never
}[EntryKind]

type EntryLineKind = (typeof entryKinds)[ShownEntryKind]['line']

/** The kinds of lines of each log, with their meanings for its readers. */
export const lineKinds = {
  connector: {
    provision: 'a device was provisioned, or its credential was rotated',
    write: 'a device wrote; with `payload`, unless it is longer than `lineBodyBytesMax`',
    set: 'a value was set from the cloud, or a new device got its initial values',
    delete: 'an identity was removed',
    expire: 'the activation window of an identity closed before it came',
    read: 'a device read, or began a long poll',
    content: 'a device downloaded a content, or its download was cut',
    connect: "a device's connection began",
    disconnect: "a device's connection ended",
    refusal: "a request was rejected: `code` is the device's response, `message` the reason",
    log: 'about the log or the connector: lines that were left out, a live view that was cut',
  },
  solution: {
    log: 'a script printed or logged',
    call: 'a call of a handler succeeded; with `usage`',
    error: 'a call of a handler failed; with `usage`, and often with `trace`',
    note: 'about the log itself: lines that were left out, a live view that was cut',
  },
  asset: {
    log: 'a value was rejected, a function failed',
  },
} as const satisfies Readonly<Record<OwnerKind, Readonly<Record<string, string>>>> & {
  readonly connector: Readonly<Record<EntryLineKind, string>>
}

export type ConnectorLineKind = keyof (typeof lineKinds)['connector']
export type SolutionLineKind = keyof (typeof lineKinds)['solution']

export const connectorLineKinds = listNames(lineKinds.connector)
export const solutionLineKinds = listNames(lineKinds.solution)

/** The severities of a log, the least first. */
export const severities = ['info', 'warning', 'error'] as const
export type Severity = (typeof severities)[number]

/** The severities of solutions' logs, in the words of scripts. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

function listNames<Kind extends string>(kinds: Readonly<Record<Kind, string>>): readonly Kind[] {
  return Object.keys(kinds) as Kind[]
}
