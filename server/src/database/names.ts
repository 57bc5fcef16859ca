import { createHash } from 'node:crypto'
import { limits } from '../kernel/index.ts'

const names = new Map<string, string>()

/**
 * The name under which a text is prepared on a connection; undefined (not prepared) past a number
 * of texts that constants never reach.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= limits.preparedTextsMax) return undefined
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}
