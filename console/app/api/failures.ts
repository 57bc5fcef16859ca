import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'
import { act, get, remove } from './endpoint.ts'

/** What failed, whatever the stage. */
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

export type FailurePage = { readonly failures: Failure[]; readonly before?: string | undefined }

type Wanted = {
  readonly stage: Stage | undefined
  /** The cursor of the page before. */
  readonly before: string | undefined
  readonly limit: number
}

/** Newest first. */
export async function listFailures(
  client: Client,
  { stage, before, limit }: Wanted,
  signal: AbortSignal | null = null,
): Promise<FailurePage> {
  const query = {
    limit,
    ...(stage !== undefined && { stage }),
    ...(before !== undefined && { before }),
  }
  const page = await unwrap(client.GET('/api:1/failures', { params: { query }, signal }))
  return { failures: page.failures, before: page.mayLoadMore ? page.before : undefined }
}

/** How many there are at each stage. */
export const countFailures = get('/api:1/failures/count')

export const readFailure = get('/api:1/failures/{stage}/{id}')

/**
 * Sends it again.
 * @param input in place of the one before; undefined: as it was.
 */
export async function retryFailure(
  client: Client,
  { stage, id }: Pick<Failure, 'stage' | 'id'>,
  input?: unknown,
): Promise<void> {
  const params = { path: { stage, id } }
  const body = input === undefined ? {} : { input }
  await unwrap(client.POST('/api:1/failures/{stage}/{id}/retry', { params, body }))
}

/** @returns how many. */
export const retryFailures = act('/api:1/failures/{stage}/retry', 'retried')

export async function discardFailure(
  client: Client,
  { stage, id }: Pick<Failure, 'stage' | 'id'>,
): Promise<void> {
  await unwrap(client.DELETE('/api:1/failures/{stage}/{id}', { params: { path: { stage, id } } }))
}

/** @returns how many. */
export const discardFailures = remove('/api:1/failures/{stage}', 'discarded')

/** A line of a solution's log. */
export type CallLine = components['schemas']['SolutionLine']

const linesMax = 20

/** What a solution logged for one tracking id, oldest first; a call that failed has its trace. */
export async function listCallLines(
  client: Client,
  solution: string,
  trackingId: string,
  signal: AbortSignal | null = null,
): Promise<CallLine[]> {
  const params = { path: { solution }, query: { tracking_id: trackingId, limit: linesMax } }
  const { lines } = await unwrap(client.GET('/api:1/solution/{solution}/logs', { params, signal }))
  return lines.toReversed()
}
