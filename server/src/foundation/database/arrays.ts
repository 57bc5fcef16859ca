/**
 * PostgreSQL arrays in the binary format. A batch of a thousand rows goes to the server as one
 * array a column, for `unnest`; made here as one buffer, that costs Node a third of what the text
 * format costs.
 */
const headerBytes = 20
const lengthBytes = 4
const nullLength = -1
const wordSize = 2 ** 32

const oid = { int2: 21, int8: 20, float8: 701, text: 25 } as const

function header(elementOid: number, count: number, bytes: number, anyNull: boolean): Buffer {
  const array = Buffer.allocUnsafe(headerBytes + bytes)
  array.writeInt32BE(count === 0 ? 0 : 1, 0)
  array.writeInt32BE(anyNull ? 1 : 0, 4)
  array.writeInt32BE(elementOid, 8)
  if (count === 0) return array.subarray(0, 12)
  array.writeInt32BE(count, 12)
  array.writeInt32BE(1, 16)
  return array
}

/** `smallint[]`; null where there is none. */
export function int2Array(values: readonly (number | null)[]): Buffer {
  const nulls = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0)
  const bytes = values.length * lengthBytes + (values.length - nulls) * 2
  const array = header(oid.int2, values.length, bytes, nulls > 0)
  let at = headerBytes
  for (const value of values) {
    at = array.writeInt32BE(value === null ? nullLength : 2, at)
    if (value !== null) at = array.writeInt16BE(value, at)
  }
  return array
}

/** `bigint[]`, from whole numbers below 2^53; null where there is none. */
export function int8Array(values: readonly (number | null)[]): Buffer {
  const nulls = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0)
  const bytes = values.length * lengthBytes + (values.length - nulls) * 8
  const array = header(oid.int8, values.length, bytes, nulls > 0)
  let at = headerBytes
  for (const value of values) {
    at = array.writeInt32BE(value === null ? nullLength : 8, at)
    if (value === null) continue
    if (!Number.isInteger(value)) throw new RangeError(`${value} is no whole number`)
    // Two halves: a BigInt for each value costs several times as much.
    at = array.writeInt32BE(Math.floor(value / wordSize), at)
    at = array.writeUInt32BE(value >>> 0, at)
  }
  return array
}

/** `double precision[]`; null where there is none. */
export function float8Array(values: readonly (number | null)[]): Buffer {
  const nulls = values.reduce<number>((count, value) => count + (value === null ? 1 : 0), 0)
  const bytes = values.length * lengthBytes + (values.length - nulls) * 8
  const array = header(oid.float8, values.length, bytes, nulls > 0)
  let at = headerBytes
  for (const value of values) {
    at = array.writeInt32BE(value === null ? nullLength : 8, at)
    if (value !== null) at = array.writeDoubleBE(value, at)
  }
  return array
}

/** `text[]`; null where there is none. */
export function textArray(values: readonly (string | null)[]): Buffer {
  let bytes = values.length * lengthBytes
  let anyNull = false
  for (const value of values) {
    if (value === null) anyNull = true
    else bytes += Buffer.byteLength(value)
  }
  const array = header(oid.text, values.length, bytes, anyNull)
  let at = headerBytes
  for (const value of values) {
    if (value === null) {
      at = array.writeInt32BE(nullLength, at)
      continue
    }
    const length = array.write(value, at + lengthBytes)
    array.writeInt32BE(length, at)
    at += lengthBytes + length
  }
  return array
}
