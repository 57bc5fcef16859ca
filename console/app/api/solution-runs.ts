import { type components, type FollowOptions, follow } from '@millrace/client'
import type { Client } from './client.ts'
import { act, find, post, remove } from './endpoint.ts'

type Schemas = components['schemas']

/** An event that a solution failed to handle. */
export type Failure = Schemas['Failure']
/** The end of a run of a handler. */
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

const readLog = find(logPath)

/** The newest lines of a solution's log, newest first. */
export const listSolutionLines = (
  client: Client,
  solution: string,
  { limit, ...filter }: SolutionLineFilter & { readonly limit: number },
  signal: AbortSignal,
) => readLog(client, solution, { limit, ...toQuery(filter) }, signal)

/** The lines of a solution's log as they come, oldest first. */
export async function* followSolutionLines(
  client: Client,
  solution: string,
  filter: SolutionLineFilter,
  options: FollowOptions,
): AsyncGenerator<SolutionLine> {
  const params = { path: { solution }, query: toQuery(filter) }
  for await (const { data } of follow(client, logPath, params, options)) yield data
}

function toQuery({ text, types, trackingId }: SolutionLineFilter) {
  return {
    ...(text !== '' && { text }),
    ...(types.length > 0 && { type: [...types] }),
    ...(trackingId !== undefined && { tracking_id: trackingId }),
  }
}

/** The newest, newest first. */
export const listFailures = find(`${onePath}/failures`, 'failures')

const failurePath = `${onePath}/failures/{id}` as const

/** Handles an event again, with another argument than it had. */
export const retryFailure = post(`${failurePath}/retry`)

export const retryFailures = act(`${onePath}/failures/retry`)

export const discardFailure = remove(failurePath)

export const discardFailures = remove(`${onePath}/failures`)

/** Runs a handler now; one that fails, or is not there, is an answer with its error. */
export const runHandler = post(`${onePath}/run`)
