/** Reads a WebAssembly binary from front to back. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new Error('the WebAssembly binary ends too early')
    this.at += 1
    return byte
  }

  /** An unsigned LEB128 number. */
  unsigned(): number {
    let result = 0
    for (let weight = 1; ; weight *= 128) {
      const byte = this.byte()
      result += (byte & 0x7f) * weight
      if ((byte & 0x80) === 0) return result
    }
  }

  /** A signed LEB128 number of 32 bits. */
  signed(): number {
    let result = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      result |= (byte & 0x7f) << shift
      if ((byte & 0x80) !== 0) continue
      const unused = 25 - shift
      return unused > 0 ? (result << unused) >> unused : result
    }
  }

  /** A LEB128 number of any length and sign. */
  skipNumber(): void {
    while ((this.byte() & 0x80) !== 0);
  }

  skip(bytes: number): void {
    this.at += bytes
  }
}

/** A number as unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 0x80)
  }
}

/** A number that is not negative as signed LEB128. */
export function signed(value: number): number[] {
  const bytes = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 64) return [...bytes, rest]
    bytes.push((rest % 128) | 0x80)
  }
}
