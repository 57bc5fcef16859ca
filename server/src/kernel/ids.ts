import { createHash, randomBytes } from 'node:crypto'

/** Where randomness comes from; an argument, so that a test can repeat a run. */
export type Random = (bytes: number) => Buffer

export const systemRandom: Random = randomBytes

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

/** A device's or an account's secret: 40 lower-case hexadecimal characters. */
export function newToken(random: Random): string {
  return random(20).toString('hex')
}

/** What is stored of a token: it has 160 random bits, so one round of SHA-256 is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
