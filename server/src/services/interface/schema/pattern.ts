import { RE2JS } from 're2js'
import { limits } from '../../../kernel/index.ts'

/**
 * A tenant's pattern. It is matched in linear time: the engine cannot back-track, and knows no
 * look-around and no back-references, so no text makes it run wild. `steps` tells beforehand what
 * a match costs at most.
 */
export type Pattern = {
  readonly source: string
  test(text: string): boolean
  steps(text: string): number
}

/** The pattern, or the sentence of why it is none. */
export function parsePattern(source: string): Pattern | string {
  if (source.length > limits.payloadPatternCharsMax) {
    return `must be a pattern of at most ${limits.payloadPatternCharsMax} characters`
  }
  // The translation below would take it for the letter k.
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
