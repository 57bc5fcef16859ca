import { type components, readJson, unwrap } from '@millrace/client'
import {
  type ConsolePaletteQuery,
  type ConsolePipelineVersionsQuery,
  consoleFittingDocument,
  consolePaletteDocument,
  consolePipelineVersionDocument,
  consolePipelineVersionsDocument,
  type PipelineDifferenceFragment,
} from '../generated/documents.ts'
import type { Client } from './client.ts'
import { get, post, put } from './endpoint.ts'
import { ask } from './graphql.ts'

type Schemas = components['schemas']

/** All links of an asset, as one document. */
export type Pipeline = Schemas['Pipeline']

export type PipelineLink = Schemas['PipelineLink']

export type PipelineChange = Schemas['PipelineChange']

export type Simulation = Schemas['Simulation']

export type Trace = Schemas['Trace']

export type FailedCall = Schemas['FailedCall']

type GraphVersion = ConsolePipelineVersionsQuery['pipelineVersions'][number]

/** What differs between two versions, by the ids of links. */
export type PipelineDifference = Omit<PipelineDifferenceFragment, 'names'> & {
  readonly names: Readonly<Record<string, string>>
}

export type PipelineVersion = Omit<GraphVersion, 'difference'> & {
  readonly difference: PipelineDifference | null
}

/** A module whose functions can be linked. */
export type PaletteModule = ConsolePaletteQuery['modules'][number]

const path = '/api:1/pipelines/{asset}'

/** Needs `Asset Management`. */
export const readPipeline = get(path)

/**
 * Saves all links as one change.
 * @throws ApiError `pipeline_refused` with a problem for each fault, `pipeline_outdated` if there
 *   is a newer version
 */
export const savePipeline = put(path)

/** @throws ApiError `pipeline_outdated` if there is a newer version than `current` */
export const restorePipeline = post(`${path}/restore`)

/** A simulation reads all that was recorded in its range. */
const simulationMsMax = 120_000

type Range = { readonly from: number; readonly to: number; readonly change: PipelineChange }

/** Runs what was recorded through the pipeline and a changed one. Nothing is stored. */
export async function simulatePipeline(
  client: Client,
  asset: string,
  range: Range,
): Promise<Simulation> {
  const response = await client.request(`/api:1/pipelines/${encodeURIComponent(asset)}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(range),
    timeoutMs: simulationMsMax,
  })
  return (await readJson(response, simulationMsMax)) as Simulation
}

/** Newest first. */
export async function listVersions(
  client: Client,
  assetId: string,
  signal: AbortSignal | null = null,
): Promise<readonly PipelineVersion[]> {
  const found = await ask(client, consolePipelineVersionsDocument, { assetId }, signal)
  return found.pipelineVersions.map(({ difference, ...version }) => {
    return { ...version, difference: differenceIn(difference) }
  })
}

/** A version, with what it changed since another one. */
export async function readPipelineVersion(
  client: Client,
  assetId: string,
  numbers: { readonly version: number; readonly since: number },
  signal: AbortSignal | null = null,
) {
  const variables = { assetId, ...numbers }
  const found = await ask(client, consolePipelineVersionDocument, variables, signal)
  return { difference: differenceIn(found.pipelineVersion?.difference) }
}

/** The names are of the server's own schema for JSON. */
function differenceIn(
  difference: PipelineDifferenceFragment | null | undefined,
): PipelineDifference | null {
  if (difference == null) return null
  return { ...difference, names: difference.names as Readonly<Record<string, string>> }
}

/** The modules whose functions can be linked, the built-in one among them. */
export async function listPalette(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<readonly PaletteModule[]> {
  return (await ask(client, consolePaletteDocument, {}, signal)).modules
}

type Inlet = {
  readonly assetId: string
  readonly moduleId: string
  readonly functionId: string
  readonly groupId: string | null
  readonly inlet: number
}

/** The ids of the signals of an asset that fit an inlet. */
export async function listFitting(
  client: Client,
  inlet: Inlet,
  signal: AbortSignal | null = null,
): Promise<readonly string[]> {
  const { fittingSignals } = await ask(client, consoleFittingDocument, inlet, signal)
  return fittingSignals.map(({ id }) => id)
}

/**
 * Follows a value of a signal. Needs `View Asset Data`.
 * @param ts its stamp in microseconds; undefined: the newest.
 */
export function traceValue(client: Client, signal: string, ts?: number): Promise<Trace> {
  const query = { signal, ...(ts !== undefined && { ts }) }
  return unwrap(client.GET('/api:1/trace', { params: { query } }))
}

const callsMax = 100

/** The newest calls of functions of an asset that failed, or of one link. Needs `Setup`. */
export async function listFailedCalls(
  client: Client,
  of: { readonly asset: string; readonly link?: string },
  signal: AbortSignal | null = null,
): Promise<readonly FailedCall[]> {
  const params = { query: { limit: callsMax, ...of } }
  return (await unwrap(client.GET('/api:1/failed-calls', { params, signal }))).calls
}
