/**
 * Texts in UTF-8, one behind the other. Each is written to its place as it is: joined to one text
 * they would be copied once more, and ASCII, which most of them are, needs no encoding.
 */
export function encodeTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  texts.forEach((text, index) => {
    at += bytes.write(text, at, text.length === lengths[index] ? 'latin1' : 'utf8')
  })
  return bytes
}
