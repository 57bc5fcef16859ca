/**
 * Reads a setting that names one of several values.
 * @param name the variable, for the error.
 * @throws Error with the values that it may have.
 */
export function parseWord<Value extends string>(
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
  return parseWord(name, text, ['on', 'off']) === 'on'
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

/**
 * The roles that a process may have; every process may have all.
 * - device: answers devices, over HTTP and MQTT
 * - worker: reads the log, runs jobs and timers, sends notifications, removes what is old
 * - api: answers the console, the management API, GraphQL, and the endpoints of solutions
 */
export const processRoles = ['device', 'worker', 'api'] as const

export type ProcessRole = (typeof processRoles)[number]

/**
 * Returns the roles that a list names, in their own order.
 * @throws Error that names the setting.
 */
export function parseRoles(name: string, text: string): readonly ProcessRole[] {
  const named = new Set<ProcessRole>()
  for (const role of commaList(text)) named.add(parseWord(name, role, processRoles))
  if (named.size === 0) throw new Error(`${name} names no role`)
  return processRoles.filter((role) => named.has(role))
}
