import type { LogLevel } from '../registry/program.ts'
import type { Trace } from '../runtime/engine.ts'
import type { Usage } from '../runtime/host.ts'

/**
 * `log`: what a script said by `print` or `log`. `call`: a handler's call that ended well;
 * `error`: one that did not. `note`: about the log itself.
 */
export const scriptLineKinds = ['log', 'call', 'error', 'note'] as const
export type ScriptLineKind = (typeof scriptLineKinds)[number]

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

/** Where a line stands in the order of its solution's log. */
export type ScriptLineKey = { readonly at: number; readonly id: number }

/** One line of a solution's log. */
export type ScriptLine = ScriptLineKey & {
  readonly kind: ScriptLineKind
  readonly level: LogLevel
  /** The alias of which an event was handled, and the handler; empty where a machine is made. */
  readonly service: string
  readonly handler: string
  readonly trackingId: string
  readonly text: string
  /** Of a call that ended. */
  readonly usage?: Usage
  /** Of a call that failed. */
  readonly trace?: Trace
}

/** A key as one word: the id of a line, and where a list goes on. */
export function formatLineKey({ at, id }: ScriptLineKey): string {
  return `${at}.${id}`
}

/** Undefined where the text is no key. */
export function parseLineKey(text: string): ScriptLineKey | undefined {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(text)
  if (match === null) return undefined
  const [at, id] = [Number(match[1]), Number(match[2])]
  return Number.isSafeInteger(at) && Number.isSafeInteger(id) ? { at, id } : undefined
}

export function compareLineKeys(a: ScriptLineKey, b: ScriptLineKey): number {
  return a.at - b.at || a.id - b.id
}

export const oldestLineKey: ScriptLineKey = { at: 0, id: 0 }
export const newestLineKey: ScriptLineKey = { at: Number.MAX_SAFE_INTEGER, id: 0 }
