import { Fault, invalidField, limits } from '../../../../foundation/kernel/index.ts'
import type { ProjectStaticFiles } from '../../../scripting/index.ts'
import { webserviceLimits } from '../limits.ts'
import { listStatic } from '../store/static-files.ts'
import { changeStatic, knownBytes } from '../store/static-uploads.ts'
import { contentTypeFor, isCompressible } from './content-types.ts'

const part = '[^\\p{Cc}\\p{Cs}/\\\\.][^\\p{Cc}\\p{Cs}/\\\\]*'
const staticPath = new RegExp(`^(?:${part}/)*${part}$`, 'u')

/** No part of a path is hidden or leads up. @throws Fault invalid_argument */
export function checkPath(path: string): void {
  if (path.length <= limits.scriptNameCharsMax && staticPath.test(path)) return
  throw invalidField('path', 'must be names with / between them, none of which begins with a dot')
}

/** The static files of solutions, for pushes and pulls of whole projects. */
export const projectStaticFiles: ProjectStaticFiles = {
  checkPath,
  async list(queryable, solutionId) {
    const files = await listStatic(queryable, solutionId)
    return files.map(({ path, etag }) => ({ path, etag }))
  },
  known: knownBytes,
  async changeIn(transaction, solutionId, { put, removed }, at) {
    const { solutionStaticFilesMax: filesMax, solutionStaticBytesMax: bytesMax } = webserviceLimits
    const files = put.map(({ path, etag }) => {
      const contentType = contentTypeFor(path)
      return { path, etag, contentType, isCompressed: isCompressible(contentType) }
    })
    const change = { put: files, removed }
    const quota = { filesMax, bytesMax }
    const { made, isWithin } = await changeStatic(transaction, solutionId, change, at, quota)
    if (!isWithin) throw tooManyFiles()
    if (made === put.length) return
    throw new Fault('overloaded', 'An uploaded file was removed meanwhile; upload it again.')
  },
}

/** The refusal of more than a solution keeps. */
export function tooManyFiles(): Fault {
  const { solutionStaticFilesMax, solutionStaticBytesMax } = webserviceLimits
  const most = `${solutionStaticFilesMax} static files and ${solutionStaticBytesMax} bytes`
  return new Fault('too_large', `A solution keeps at most ${most}.`)
}
