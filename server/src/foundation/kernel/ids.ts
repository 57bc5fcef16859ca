import { hash, randomBytes, randomFillSync } from 'node:crypto'

/** A source of randomness; an argument, so that a test can repeat a run. */
export type Random = (bytes: number) => Buffer

/** The machine's. Small amounts come out of one larger, since each asking costs a microsecond. */
export const systemRandom: Random = (bytes) => {
  if (bytes * drawsAtLeast > pool.length) return randomBytes(bytes)
  if (given + bytes > pool.length) {
    randomFillSync(pool)
    given = 0
  }
  const drawn = Buffer.from(pool.subarray(given, given + bytes))
  // Bytes that were returned are a secret of the caller.
  pool.fill(0, given, given + bytes)
  given += bytes
  return drawn
}

const drawsAtLeast = 64
const pool = Buffer.alloc(4_096)
let given = pool.length

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const idLength = 16

/**
 * A new public id: 16 lower-case letters and digits that start with a letter, so that it can be a
 * host label (a connector's id is one) and a GraphQL ID. 82 bits of randomness.
 */
export function newId(random: Random): string {
  const bytes = random(idLength * 2)
  let id = ''
  for (let at = 0; at < idLength; at += 1) {
    const letters = at === 0 ? 26 : alphabet.length
    id += alphabet[bytes.readUInt16BE(at * 2) % letters]
  }
  return id
}

/**
 * A new UUID, version 7: 48 bits of milliseconds since 1970, then 74 random ones. Ids that are made
 * one after the other lie side by side in an index.
 */
export function newUuid(random: Random, nowMs: number): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  random(10).copy(bytes, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  const ends = [0, 8, 12, 16, 20, 32]
  return ends
    .slice(1)
    .map((end, at) => hex.slice(ends[at], end))
    .join('-')
}

/** A device's or an account's secret: 40 lower-case hexadecimal characters. */
export function newToken(random: Random): string {
  return random(20).toString('hex')
}

/**
 * Returns the hash of a token that is stored: a token has 160 random bits, so one round of SHA-256
 * is enough.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

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
