import { type components, readJson } from '@millrace/client'
import {
  type ConsolePaletteQuery,
  type ConsolePipelineVersionsQuery,
  consoleFittingDocument,
  consolePaletteDocument,
  consolePipelineVersionDocument,
  consolePipelineVersionsDocument,
  type PipelineDifferenceFragment,
} from '../generated/pipelines.ts'
import type { Client } from './client.ts'
import { find, get, post, put } from './endpoint.ts'
import { asking, reading } from './graphql.ts'

type Schemas = components['schemas']

/** All links of an asset, as one document. */
export type Pipeline = Schemas['Pipeline']

export type PipelineLink = Schemas['PipelineLink']

export type PipelineChange = Schemas['PipelineChange']

export type Simulation = Schemas['Simulation']

export type Trace = Schemas['Trace']

export type FailedCall = Schemas['FailedCall']

type GraphVersion = ConsolePipelineVersionsQuery['pipelineVersions'][number]

/** The differences between two versions, by the ids of links. */
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

const askVersions = asking(consolePipelineVersionsDocument, 'pipelineVersions')
const askVersion = asking(consolePipelineVersionDocument, 'pipelineVersion')

/** Newest first. */
export async function listVersions(
  client: Client,
  assetId: string,
  signal: AbortSignal | null = null,
): Promise<readonly PipelineVersion[]> {
  const found = await askVersions(client, { assetId }, signal)
  return found.map(({ difference, ...version }) => {
    return { ...version, difference: differenceIn(difference) }
  })
}

/** A version, with what it changed since another one. */
export async function readPipelineVersion(
  client: Client,
  of: Parameters<typeof askVersion>[1],
  signal: AbortSignal | null = null,
) {
  return { difference: differenceIn((await askVersion(client, of, signal))?.difference) }
}

/** The names are of the server's own schema for JSON. */
function differenceIn(
  difference: PipelineDifferenceFragment | null | undefined,
): PipelineDifference | null {
  if (difference == null) return null
  return { ...difference, names: difference.names as Readonly<Record<string, string>> }
}

/** The modules whose functions can be linked, the built-in one among them. */
export const listPalette = reading(consolePaletteDocument, 'modules')

/** The signals of an asset that fit an inlet. */
export const listFitting = asking(consoleFittingDocument, 'fittingSignals')

/** Follows a value of a signal: the newest, or that of a time. Needs `View Asset Data`. */
export const traceValue = find('/api:1/trace')

/** The newest calls of functions of an asset that failed, or of one link. Needs `Setup`. */
export const listFailedCalls = find('/api:1/failed-calls', 'calls')
