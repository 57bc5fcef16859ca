import { type ComparedVersion, Versions } from '../../../foundation/database/index.ts'
import { type Difference, findDifference } from '../../../foundation/kernel/index.ts'
import type { DocumentLink, PipelineDocument } from '../document/schema.ts'

/** Versions of one asset's pipeline that are kept. */
const pipelineVersionsMax = 100

/** A version of an asset's pipeline, with what it changed. */
export type PipelineVersion = ComparedVersion<PipelineDocument, Difference>

/** The versions of the pipelines of assets. */
export const pipelineVersions = new Versions<PipelineDocument, Difference>({
  table: 'pipelines_version',
  owner: 'asset_id',
  parse: parseDocument,
  empty: { links: [] },
  findDifference: pipelineDifference,
  most: () => pipelineVersionsMax,
})

/** Documents from before links had checks hold none. */
function parseDocument(text: string): PipelineDocument {
  const { links } = JSON.parse(text) as PipelineDocument
  return { links: links.map((link) => ({ ...link, checks: link.checks ?? [] })) }
}

/** Returns what changed between two documents, by the ids of links. */
function pipelineDifference(before: PipelineDocument, after: PipelineDocument): Difference {
  return findDifference(before.links, after.links, named)
}

function named({ id, name }: DocumentLink) {
  return { id, name }
}
