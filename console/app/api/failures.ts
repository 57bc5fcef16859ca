import type { components } from '@millrace/client'
import type { Client } from './client.ts'
import { act, find, get, post, remove } from './endpoint.ts'

/** A failure, whatever the stage. */
export type Failure = components['schemas']['StageFailure']
export type Stage = Failure['stage']

/** The stages by their names in the ledger, in the order of a message. */
export const stages = [
  'values',
  'functions',
  'scripts',
  'functions.calls',
  'deliveries',
  'notifications',
] as const satisfies readonly Stage[]

/** Newest first. */
export const listFailures = find('/api:1/failures')

/** Counts the failures of each stage. */
export const countFailures = get('/api:1/failures/count')

export const readFailure = get('/api:1/failures/{stage}/{id}')

/** Sends it again, perhaps with another `input` than it had. */
export const retryFailure = post('/api:1/failures/{stage}/{id}/retry')

/** @returns how many. */
export const retryFailures = act('/api:1/failures/{stage}/retry', 'retried')

export const discardFailure = remove('/api:1/failures/{stage}/{id}')

/** @returns how many. */
export const discardFailures = remove('/api:1/failures/{stage}', 'discarded')

/** A line of a solution's log. */
export type CallLine = components['schemas']['SolutionLine']

const listLines = find('/api:1/solution/{solution}/logs', 'lines')
const linesMax = 20

/**
 * Lists the lines that a solution logged for one tracking id, oldest first; a call that failed has
 * its trace.
 */
export async function listCallLines(
  client: Client,
  solution: string,
  trackingId: string,
  signal: AbortSignal | null = null,
): Promise<CallLine[]> {
  const query = { tracking_id: trackingId, limit: linesMax }
  return (await listLines(client, solution, query, signal)).toReversed()
}
