import type { OutboundCall } from '../../outbound/index.ts'

export type HttpMethod = OutboundCall['method']

/** The operation named for a method makes its request with that method. */
const named: Readonly<Record<string, HttpMethod>> = {
  delete: 'DELETE',
  get: 'GET',
  head: 'HEAD',
  options: 'OPTIONS',
  patch: 'PATCH',
  post: 'POST',
  put: 'PUT',
}

/** @returns undefined if the text names none of the seven; its letter case does not matter. */
export function methodNamed(text: string): HttpMethod | undefined {
  const name = text.toLowerCase()
  return Object.hasOwn(named, name) ? named[name] : undefined
}
