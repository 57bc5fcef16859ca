/** The name of a header. */
export const headerName = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

/** What its value may be in letters that each stand for a byte: no line's end, and no NUL. */
export const headerLetters = /^[\t\x20-\x7e\x80-\xff]*$/

/** Node's HTTP writes one byte for each letter up to 255: so bytes of any kind stay exact. */
export function lettersOf(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value)
  return bytes.toString('latin1')
}
