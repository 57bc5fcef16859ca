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
  const fields = new URLSearchParams(text)
  if (fields.size > fieldsMax) throw tooMany(fieldsMax)
  return fields
}

function tooMany(fieldsMax: number): Fault {
  return new Fault('too_complex', `A request has at most ${fieldsMax} fields.`)
}
