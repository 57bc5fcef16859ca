import type { ScriptValue } from '../../../scripting/index.ts'
import type { Args } from '../args.ts'
import type { Entry } from '../entry.ts'

/**
 * One command on one key, without time or storage of its own.
 * @param now microseconds.
 */
export type Command = (entry: Entry | undefined, args: Args, now: number) => Outcome

export type Outcome = {
  /** What the key holds from now on; undefined: it is gone. The same object: nothing changed. */
  readonly after: Entry | undefined
  /** What the script gets as `value`. */
  readonly value: ScriptValue
}

/** The entry stays as it is. */
export const seen = (entry: Entry | undefined, value: ScriptValue): Outcome => ({
  after: entry,
  value,
})
