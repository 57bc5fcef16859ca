/**
 * Reads a setting that names one of several values.
 * @param name the variable, for the error.
 * @throws Error with the values that it may have.
 */
export function oneOf<Value extends string>(
  name: string,
  text: string,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((one) => one === text)
  if (found !== undefined) return found
  throw new Error(`${name} is "${text}"; it should be one of ${allowed.join(', ')}`)
}

/** Reads a setting that is on or off. @throws Error if it is neither. */
export function isOn(name: string, text: string): boolean {
  return oneOf(name, text, ['on', 'off']) === 'on'
}

/**
 * Reads a setting that is a list: values separated by commas, without the spaces around them.
 * Empty ones are left out.
 */
export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
