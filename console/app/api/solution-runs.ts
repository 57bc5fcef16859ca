import { type components, type FollowOptions, follow, unwrap } from '@millrace/client'
import type { Client } from './client.ts'
import { act, post, remove } from './endpoint.ts'

type Schemas = components['schemas']

/** An event that a solution failed to handle. */
export type Failure = Schemas['Failure']
/** How a run of a handler ended. */
export type HandlerRun = Schemas['HandlerRun']
export type SolutionLine = Schemas['SolutionLine']
export type SolutionLineType = Schemas['SolutionLineType']

/** Selects lines; an empty field matches all. */
export type SolutionLineFilter = {
  readonly text: string
  readonly types: readonly SolutionLineType[]
  readonly trackingId?: string
}

const onePath = '/api:1/solution/{solution}'
const logPath = `${onePath}/logs` as const

/** The newest lines of a solution's log, newest first. */
export function listSolutionLines(
  client: Client,
  solution: string,
  { limit, ...filter }: SolutionLineFilter & { readonly limit: number },
  signal: AbortSignal,
) {
  const params = { path: { solution }, query: { limit, ...queryOf(filter) } }
  return unwrap(client.GET(logPath, { params, signal }))
}

/** The lines of a solution's log as they come, oldest first. */
export async function* followSolutionLines(
  client: Client,
  solution: string,
  filter: SolutionLineFilter,
  options: FollowOptions,
): AsyncGenerator<SolutionLine> {
  const params = { path: { solution }, query: queryOf(filter) }
  for await (const { data } of follow(client, logPath, params, options)) yield data
}

function queryOf({ text, types, trackingId }: SolutionLineFilter) {
  return {
    ...(text !== '' && { text }),
    ...(types.length > 0 && { type: [...types] }),
    ...(trackingId !== undefined && { tracking_id: trackingId }),
  }
}

/** The newest, newest first. */
export async function listFailures(
  client: Client,
  solution: string,
  limit: number,
  signal: AbortSignal,
): Promise<Failure[]> {
  const params = { path: { solution }, query: { limit } }
  const { failures } = await unwrap(client.GET(`${onePath}/failures`, { params, signal }))
  return failures
}

const failurePath = `${onePath}/failures/{id}` as const

/** Handles an event again, with another argument than it had. */
export function retryFailure(
  client: Client,
  solution: string,
  id: string,
  argument: unknown,
): Promise<unknown> {
  const params = { path: { solution, id } }
  return unwrap(client.POST(`${failurePath}/retry`, { params, body: { argument } }))
}

export const retryFailures = act(`${onePath}/failures/retry`)

export const discardFailure = remove(failurePath)

export const discardFailures = remove(`${onePath}/failures`)

/** Runs a handler now; one that fails, or is not there, is an answer with its error. */
export const runHandler = post(`${onePath}/run`)
