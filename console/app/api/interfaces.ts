import { type components, errorOf, unwrap } from '@millrace/client'
import type { Client } from './client.ts'
import { post } from './endpoint.ts'
import { listConfigurations } from './solutions.ts'

type Schemas = components['schemas']

/** The service that a solution exposes. */
export type Definition = Schemas['InterfaceDefinition']
/** A difference on which a subscriber may rely. */
export type BreakingChange = Schemas['BreakingChange']
export type Subscriber = Schemas['Subscriber']
/** A service of a solution that the business may use. */
export type OfferedService = Schemas['OfferedService']

type ServiceQuery = { readonly text: string; readonly limit: number; readonly offset: number }

/** Lists the services that the business may use, oldest first. */
export function listServices(client: Client, { text, ...page }: ServiceQuery, signal: AbortSignal) {
  const query = { ...page, ...(text !== '' && { text }) }
  return unwrap(client.GET('/api:1/services', { params: { query }, signal }))
}

/** A definition as a person wrote it; the server checks it. */
export type WantedDefinition = Readonly<Record<string, unknown>>

const path = '/api:1/solution/{solution}/definition'

/** Null if the solution exposes none. */
export async function getDefinition(
  client: Client,
  solution: string,
  signal: AbortSignal,
): Promise<Definition | null> {
  const services = await listConfigurations(client, solution, signal)
  if (!services.some(({ service }) => service === 'interface')) return null
  return unwrap(client.GET(path, { params: { path: { solution } }, signal }))
}

/** What of the live definition a new one takes away. */
export const checkDefinition = post(`${path}/check`, 'changes')

/** @throws ApiError `breaking_change` where it breaks a subscriber and may not. */
export async function publishDefinition(
  client: Client,
  solution: string,
  body: WantedDefinition,
  mayBreak: boolean,
): Promise<void> {
  const services = await listConfigurations(client, solution, new AbortController().signal)
  const own = services.find(({ service }) => service === 'interface')
  const params = { path: { solution, id: own?.id ?? '' }, query: { allow_breaking: mayBreak } }
  await unwrap(client.PUT('/api:1/solution/{solution}/serviceconfig/{id}', { params, body }))
}

const subscribersShown = 100

/** The oldest ones, and how many there are. */
export function listSubscribers(client: Client, solution: string, signal: AbortSignal) {
  const params = { path: { solution }, query: { limit: subscribersShown } }
  return unwrap(client.GET('/api:1/solution/{solution}/subscribers', { params, signal }))
}

export type Operation = Definition['operations'][number]
type ScriptError = Schemas['ScriptError']

/** What an operation answered: its result, or the error that a script would have. */
export type OperationAnswer =
  | { readonly status: number; readonly result: unknown; readonly error?: undefined }
  | { readonly status: number; readonly error: ScriptError }

/** Calls an operation, really. @throws ApiError where the call itself is refused. */
export async function callOperation(
  client: Client,
  solution: string,
  operation: string,
  body: unknown,
): Promise<OperationAnswer> {
  const params = { path: { solution, operation } }
  const { data, error, response } = await client.POST(
    '/api:1/solution/{solution}/interface/{operation}',
    { params, body },
  )
  const { status } = response
  if (response.ok) return { status, result: data }
  if (isScriptError(error)) return { status, error }
  throw errorOf(response, error)
}

function isScriptError(value: unknown): value is ScriptError {
  if (typeof value !== 'object' || value === null) return false
  const { type, error, status } = value as Partial<Record<keyof ScriptError, unknown>>
  return typeof type === 'string' && typeof error === 'string' && typeof status === 'number'
}

/** The calls that a subscriber may make; null: as the definition says. */
export type WantedQuota = {
  readonly calls_daily: number | null
  readonly calls_monthly: number | null
}

export function setQuota(
  client: Client,
  solution: string,
  subscriber: string,
  quota: WantedQuota,
): Promise<unknown> {
  const params = { path: { solution, subscriber } }
  const body = { quota }
  const one = '/api:1/solution/{solution}/subscribers/{subscriber}' as const
  return unwrap(client.PATCH(one, { params, body }))
}
