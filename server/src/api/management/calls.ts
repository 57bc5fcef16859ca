import { refuseIdentity } from '../../devices/provisioning/index.ts'
import { Fault, limits } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { ApiServices } from './services.ts'

type Named = Readonly<Record<string, string>>

/** Refuses a name that no connector can have. @throws Fault not_found */
export function requireNames({ connector }: Named): void {
  if (connector === undefined) return
  if (connector.length <= limits.hostLabelCharsMax && /^[a-z0-9-]+$/.test(connector)) return
  throw new Fault('not_found', 'the business has no such connector')
}

type OfSolution = { readonly businessId: string; readonly params: { readonly solution: string } }

/** The business and the solution of a call, as scripting's functions take them. */
export function solutionArguments({ businessId, params }: OfSolution): [string, string] {
  return [businessId, params.solution]
}

/** The same, as the functions of notifications take them. */
export function toOwner({ businessId, params }: OfSolution) {
  return { businessId, solutionId: params.solution }
}

type OfDevice = {
  readonly businessId: string
  readonly view: View
  readonly params: { readonly connector: string; readonly identity: string }
}

/** The business, the connector and the device. @throws Fault unknown_identity */
export function deviceArguments({ businessId, params }: OfDevice): [string, string, string] {
  const { connector, identity } = params
  if (refuseIdentity(identity) === undefined) return [businessId, connector, identity]
  throw new Fault('unknown_identity', 'the connector has no such identity')
}

/** The same for one who may see some groups only. */
export function deviceSeen(call: OfDevice): [View, string, string] {
  const [, connector, identity] = deviceArguments(call)
  return [call.view, connector, identity]
}

/** The id of a failure, of letters and digits; any other text becomes `-`, which none has. */
export function failureId({ params: { id } }: { readonly params: { readonly id: string } }) {
  return /^[a-z0-9]+$/.test(id) ? id : '-'
}

/** The id of the business that a path names. @throws Fault `not_found`. */
export async function businessNamed(
  accounts: Pick<ApiServices['accounts'], 'findBusiness'>,
  { business: name }: { readonly business: string },
): Promise<string> {
  const business = await accounts.findBusiness(name)
  if (business !== undefined) return business.id
  throw new Fault('not_found', `There is no business ${JSON.stringify(name)}.`)
}

/** A page of as many as may be asked for, where the query names no size. */
export function wholePage({ limit = limits.pageMax, offset }: { limit?: number; offset?: number }) {
  return { limit, offset }
}

/** A found value. @throws Fault not_found if there is none. */
export async function existing<Value>(finding: Promise<Value | undefined>, what: string) {
  const value = await finding
  if (value === undefined) throw new Fault('not_found', `There is no such ${what}.`)
  return value
}

/** A value of scripts in JSON. Bytes that are not text are shown in base64. */
export function valueBody(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(valueBody)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, valueBody(one)]))
}
