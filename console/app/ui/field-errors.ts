import { ApiError } from '@millrace/client'

/**
 * The part of a refusal that is about a field, without its name; undefined for another field.
 * @param path as the API names it: `provisioning.pki.ca`.
 */
export function fieldError(error: Error | null, path: string): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'invalid_argument') return undefined
  const { message } = error
  if (!message.startsWith(path)) return undefined
  const rest = message.slice(path.length)
  if (rest.startsWith(' ')) return rest.trim()
  // A part of the field: an item of its list.
  return /^[.[:]/.test(rest) ? message : undefined
}

/** The keys of a JSON pointer, by which the API names a place in a document. */
export function pointerKeys(pointer: string): string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The JSON pointer of a place in a document. */
export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns whether a refusal is about one of the fields, each of which shows it. */
export function isAtField(error: Error | null, paths: readonly string[]): boolean {
  return paths.some((path) => fieldError(error, path) !== undefined)
}
