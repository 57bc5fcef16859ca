import { Fault } from './errors.ts'

/**
 * The fields of a form or a query, decoded; the separators are counted before anything is made.
 * @throws Fault `too_complex`
 */
export function formFields(text: string, fieldsMax: number): URLSearchParams {
  let separators = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    separators += 1
    if (separators > fieldsMax) throw tooMany(fieldsMax)
  }
  const fields = new URLSearchParams(blanked(text))
  if (fields.size > fieldsMax) throw tooMany(fieldsMax)
  return fields
}

const plus = 0x2b
const blank = 0x20

/** Puts blanks in place of plus signs. URLSearchParams needs 20 times as long for each. */
function blanked(text: string): string {
  if (!text.includes('+')) return text
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === plus) bytes[at] = blank
  return bytes.toString()
}

function tooMany(fieldsMax: number): Fault {
  return new Fault('too_complex', `A request has at most ${fieldsMax} fields.`)
}
