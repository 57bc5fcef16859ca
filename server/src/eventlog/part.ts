import { limits } from '../kernel/index.ts'

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

/**
 * The partition of a device: all that it says lies in one, in order. It is kept with each entry's
 * key, so this function may never give another answer (FNV-1a over the UTF-16 units).
 */
export function partOf(connectorId: string, identity: string): number {
  let hash = mix(fnvOffset, connectorId)
  hash = Math.imul(hash ^ '/'.charCodeAt(0), fnvPrime)
  hash = mix(hash, identity)
  return (hash >>> 0) % limits.logPartitions
}

function mix(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), fnvPrime)
  }
  return hash
}
