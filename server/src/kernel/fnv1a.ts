const offset = 0x811c9dc5
const prime = 0x01000193

/**
 * Returns the 32-bit FNV-1a hash over the UTF-16 units of a text, as a signed integer. `start`: the
 * hash of the text before, to hash several texts as one.
 */
export function fnv1a(text: string, start = offset): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), prime)
  }
  return hash
}
