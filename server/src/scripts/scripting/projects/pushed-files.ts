import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import type { RegistryOptions } from '../registry/options.ts'
import { deletePushedFiles, readPushedFiles, writePushedFiles } from '../store/files.ts'
import type { FolderFile } from './folder.ts'
import { isDataFile } from './layout.ts'

/** The files of a solution as they were pushed; settings of services are encrypted. */
export async function readPushed(
  { secrets }: Pick<RegistryOptions, 'secrets'>,
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<FolderFile[]> {
  const stored = await readPushedFiles(queryable, businessId, solutionId)
  return stored.map(({ path, text, sealed }) => {
    return { path, text: sealed ? secrets.open(text, sealContext(solutionId, path)) : text }
  })
}

/** `keep`: files that are not named stay. */
export async function writePushed(
  { secrets }: Pick<RegistryOptions, 'secrets'>,
  transaction: Transaction,
  { businessId, solutionId }: { readonly businessId: string; readonly solutionId: string },
  files: readonly FolderFile[],
  keep: boolean,
): Promise<void> {
  if (!keep) await deletePushedFiles(transaction, businessId, solutionId)
  const stored = files.map(({ path, text }) => {
    const sealed = isDataFile(path)
    return { path, text: sealed ? secrets.seal(text, sealContext(solutionId, path)) : text, sealed }
  })
  await writePushedFiles(transaction, businessId, solutionId, stored)
}

function sealContext(solutionId: string, path: string): string {
  return `scripting/file/${solutionId}/${path}`
}
