import type { Database } from '../../../foundation/database/index.ts'
import { Fault, requireConfirmed } from '../../../foundation/kernel/index.ts'
import { wholeView } from '../../../people/groups/index.ts'
import type { Assets } from '../../assets/index.ts'
import type { Use } from '../../marketplace/index.ts'
import type { PipelineDocuments } from '../document/documents.ts'
import { readLinksOfModule, type StoredLink } from '../store.ts'

/** Links that the refusal to remove a module names. */
const moduleLinksNamedMax = 10

export type RemoveOptions = {
  /** Removes its links as well; their outlets' signals stay, with their history. */
  readonly force?: boolean | undefined
  /** The name or the id of the module, which removes its links, too. */
  readonly confirm?: string | undefined
  /** The principal's subject. */
  readonly by?: string
}

export type ReleaseOptions = {
  readonly database: Database
  readonly assets: Pick<Assets, 'get'>
  readonly documents: Pick<PipelineDocuments, 'save'>
}

/**
 * Removes the links of a module that is to be removed, if that is forced or confirmed: each
 * asset's as one version of its pipeline.
 * @throws Fault in_use with the names of the links, if it is neither; invalid_argument for another
 *   name.
 */
export async function releaseLinks(
  options: ReleaseOptions,
  { businessId, id, name }: Use,
  { force, confirm, by }: RemoveOptions,
): Promise<void> {
  const isConfirmed = force === true || confirm !== undefined
  if (!force) requireConfirmed({ what: 'the module', names: [name, id], given: confirm }, [])
  const links = await readLinksOfModule(options.database, businessId, id)
  if (links.length === 0) return
  if (!isConfirmed) throw new Fault('in_use', await formatLinks(options, businessId, links))
  for (const [assetId, own] of Map.groupBy(links, (link) => link.assetId)) {
    const change = { links: [], remove: own.map((link) => link.id) }
    await options.documents.save(wholeView(businessId), assetId, change, by ?? null)
  }
}

async function formatLinks(
  { assets }: ReleaseOptions,
  businessId: string,
  links: readonly StoredLink[],
): Promise<string> {
  const named = links.slice(0, moduleLinksNamedMax)
  const names = await Promise.all(
    named.map(async ({ name, assetId }) => {
      const asset = await assets.get(wholeView(businessId), assetId)
      return `"${name}" of the asset "${asset.name}"`
    }),
  )
  const more = links.length > named.length ? `, and ${links.length - named.length} more` : ''
  return `Links use this module: ${names.join(', ')}${more}. Remove them first, or force it.`
}
