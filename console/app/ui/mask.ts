const shownAtEnds = 4
const shortest = 3 * shownAtEnds

/** Returns the part of a phone number or a token that distinguishes it from others. */
export function masked(address: string): string {
  if (address.length < shortest) return `…${address.slice(-2)}`
  return `${address.slice(0, shownAtEnds)}…${address.slice(-shownAtEnds)}`
}

/** A payload as JSON that people can read, without the address it goes to. */
export function shownPayload(payload: unknown, address: string): string {
  const mask = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(address, masked(address)) : value
  return JSON.stringify(payload, mask, 2)
}
