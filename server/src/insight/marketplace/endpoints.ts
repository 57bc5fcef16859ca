import type { ParameterValues } from './parameters.ts'
import type { DeclaredOperation, FilledParameter, SecurityScheme, Use } from './types.ts'

/** The address at which one business calls an operation, with its credentials. */
export type ModuleEndpoint = {
  readonly method: DeclaredOperation['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type ModuleEndpoints = {
  readonly [Name in 'info' | 'insights' | 'process']: ModuleEndpoint
} & {
  readonly [Name in 'insight' | 'lifecycle' | 'init' | 'gc']?: ModuleEndpoint
}

/** The parts of a call of a use, whatever its operation. */
type CallParts = {
  readonly base: string
  readonly businessId: string
  readonly security: readonly SecurityScheme[]
  readonly values: ParameterValues
}

/** Returns the addresses at which a business calls the operations of a module that it uses. */
export function makeEndpoints(
  { businessId, listing: { base, operations, security } }: Pick<Use, 'businessId' | 'listing'>,
  values: ParameterValues,
): ModuleEndpoints {
  const parts = { base, businessId, security, values }
  const { info, insights, process, insight, lifecycle, init, gc } = operations
  return {
    info: makeEndpoint(info, parts),
    insights: makeEndpoint(insights, parts),
    process: makeEndpoint(process, parts),
    ...(insight === undefined ? {} : { insight: makeEndpoint(insight, parts) }),
    ...(lifecycle === undefined ? {} : { lifecycle: makeEndpoint(lifecycle, parts) }),
    ...(init === undefined ? {} : { init: makeEndpoint(init, parts) }),
    ...(gc === undefined ? {} : { gc: makeEndpoint(gc, parts) }),
  }
}

function makeEndpoint({ method, path, filled = [] }: DeclaredOperation, parts: CallParts) {
  const filling = ({ from }: FilledParameter) =>
    from === 'business' ? parts.businessId : toText(parts.values[from.parameter])
  const query = new URLSearchParams()
  const headers = new Map<string, string>()
  let place = path.replaceAll('{solution_id}', encodeURIComponent(parts.businessId))
  for (const parameter of filled) {
    const value = filling(parameter)
    if (value === undefined) continue
    const { in: where, name } = parameter
    if (where === 'path') place = place.replaceAll(`{${name}}`, encodeURIComponent(value))
    else if (where === 'query') query.append(name, value)
    else headers.set(name.toLowerCase(), headerText(value))
  }
  for (const scheme of parts.security) authenticate(scheme, parts.values, { query, headers })
  return { method, url: joinUrl(parts.base, place, query), headers: Object.fromEntries(headers) }
}

type Carriers = { readonly query: URLSearchParams; readonly headers: Map<string, string> }

/** Adds what a scheme asks for; a value that is not set is left out. */
function authenticate(
  scheme: SecurityScheme,
  values: ParameterValues,
  { query, headers }: Carriers,
): void {
  if (scheme.type === 'basic') {
    const [user, password] = [toText(values[scheme.user]), toText(values[scheme.password])]
    if (user === undefined && password === undefined) return
    const pair = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')
    headers.set('authorization', `Basic ${pair}`)
    return
  }
  const value = toText(values[scheme.from])
  if (value === undefined) return
  if (scheme.in === 'query') query.append(scheme.name, value)
  else headers.set(scheme.name.toLowerCase(), headerText(`${scheme.prefix} ${value}`.trim()))
}

function toText(value: string | number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}

/** A header holds bytes: those of UTF-8. */
function headerText(value: string): string {
  return Buffer.from(value).toString('latin1')
}

/** An operation that was stored before there were listings has a whole URL for its path. */
function joinUrl(base: string, path: string, query: URLSearchParams): string {
  const url = path.startsWith('/') ? `${base.replace(/\/$/, '')}${path}` : path
  if (query.size === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}
