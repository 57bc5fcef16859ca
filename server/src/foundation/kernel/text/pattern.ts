import { RE2JS } from 're2js'
import { limits } from '../limits.ts'

/**
 * A tenant's pattern. It is matched in linear time: the engine does not backtrack and supports
 * neither look-around nor back-references. `steps` is the most that a match can cost.
 */
export type Pattern = {
  readonly source: string
  test(text: string): boolean
  steps(text: string): number
}

/** Returns the pattern, or the rule that the source breaks. */
export function parsePattern(source: string): Pattern | string {
  if (source.length > limits.payloadPatternCharsMax) {
    return `must be a pattern of at most ${limits.payloadPatternCharsMax} characters`
  }
  // The translation below would read it as the letter k.
  if (/(?<!\\)(?:\\\\)*\\k</.test(source)) return 'must not refer back to a group'
  try {
    const engine = RE2JS.compile(RE2JS.translateRegExp(source))
    const size = engine.programSize()
    if (size > limits.payloadPatternStatesMax) {
      return `has ${size} states as a pattern, more than ${limits.payloadPatternStatesMax}`
    }
    return {
      source,
      test: (text) => engine.test(text),
      steps: (text) => size * (text.length + 1),
    }
  } catch (error) {
    return `is not a pattern that can be matched in linear time: ${(error as Error).message}`
  }
}
