import { type components, toError, unwrap } from '@millrace/client'
import type { Client } from './client.ts'
import { find, patch, post } from './endpoint.ts'
import { listConfigurations } from './solutions.ts'

type Schemas = components['schemas']

/** The service that a solution exposes. */
export type Definition = Schemas['InterfaceDefinition']
/** A difference on which a subscriber may rely. */
export type BreakingChange = Schemas['BreakingChange']
export type Subscriber = Schemas['Subscriber']
/** A service of a solution that the business may use. */
export type OfferedService = Schemas['OfferedService']

/** Lists the services that the business may use, oldest first. */
export const listServices = find('/api:1/services')

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

/** Returns the parts of the live definition that a new one takes away. */
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

/** The oldest first, and how many there are. */
export const listSubscribers = find('/api:1/solution/{solution}/subscribers')

export type Operation = Definition['operations'][number]
type ScriptError = Schemas['ScriptError']

/** The answer of an operation: its result, or the error that a script would have. */
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
  throw toError(response, error)
}

function isScriptError(value: unknown): value is ScriptError {
  if (typeof value !== 'object' || value === null) return false
  const { type, error, status } = value as Partial<Record<keyof ScriptError, unknown>>
  return typeof type === 'string' && typeof error === 'string' && typeof status === 'number'
}

/** Sets how many calls a subscriber may make; null: as the definition says. */
export const changeSubscriber = patch('/api:1/solution/{solution}/subscribers/{subscriber}')
