import { types } from 'pg'

const int8 = 20
const int8Array: number = 1016

/**
 * Reads bigint as a number: the platform's bigints are microseconds and counts, all below 2^53,
 * and a value above is an error, not a rounded number.
 */
function readInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is above 2^53`)
  return value
}

type Int8Texts = (text: string) => (string | null)[]

/** How a connection reads what the server sends. */
export const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === int8) return readInt8
    if (format !== 'binary' && oid === int8Array) {
      const parse = types.getTypeParser(int8Array, 'text') as Int8Texts
      return (text: string) => parse(text).map((one) => (one === null ? null : readInt8(one)))
    }
    return types.getTypeParser(oid, format as 'text')
  },
}
