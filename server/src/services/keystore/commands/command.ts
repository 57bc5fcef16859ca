import type { ScriptValue } from '../../../scripting/index.ts'
import type { Args } from '../args.ts'
import type { Entry } from '../entry.ts'

/**
 * One command on one key, without time or storage of its own.
 * @param now microseconds.
 */
export type Command = (entry: Entry | undefined, args: Args, now: number) => Outcome

export type Outcome = {
  /** The key's new value; undefined removes the key. The same object means no change. */
  readonly after: Entry | undefined
  /** The script's result, in `value`. */
  readonly value: ScriptValue
}

/** The entry stays as it is. */
export const seen = (entry: Entry | undefined, value: ScriptValue): Outcome => ({
  after: entry,
  value,
})
