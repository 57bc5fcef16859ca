import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Database } from '../../../database/index.ts'
import { type Clock, Fault, invalidField, limits } from '../../../kernel/index.ts'
import {
  deleteStatic,
  findStatic,
  listStatic,
  putStatic,
  type StaticFile,
} from '../store/static-files.ts'
import { contentTypeOf, isCompressible } from './content-types.ts'

/** The static files of solutions, for their owners. The caller checks whose the solution is. */
export type StaticFiles = {
  /** By their paths. */
  list(solutionId: string): Promise<readonly StaticFile[]>
  /** Stores a file, or replaces it. @throws Fault invalid_argument, too_large past a quota */
  put(solutionId: string, path: string, data: Buffer): Promise<StaticFile>
  /** @throws Fault not_found */
  remove(solutionId: string, path: string): Promise<void>
}

export function createStaticFiles({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): StaticFiles {
  return {
    list: (solutionId) => listStatic(database, solutionId),
    async put(solutionId, path, data) {
      checkPath(path)
      const { solutionStaticFilesMax: filesMax, solutionStaticBytesMax: bytesMax } = limits
      const contentType = contentTypeOf(path)
      const gzipped = isCompressible(contentType) ? await compress(data) : null
      const etag = createHash('sha256').update(data).digest('base64url')
      const file = { path, contentType, etag, data, gzipped, updatedAt: clock.nowUs() }
      await database.transaction(async (transaction) => {
        if (await putStatic(transaction, solutionId, file, { filesMax, bytesMax })) return
        const most = `${filesMax} static files and ${bytesMax} bytes`
        throw new Fault('too_large', `A solution keeps at most ${most}.`)
      })
      const stored = await findStatic(database, solutionId, path)
      if (stored === undefined) throw new Fault('overloaded')
      return stored
    },
    async remove(solutionId, path) {
      const isGone = await database.transaction((transaction) =>
        deleteStatic(transaction, solutionId, path),
      )
      if (!isGone) throw new Fault('not_found', 'The solution has no such static file.')
    },
  }
}

const part = "[A-Za-z0-9_@~!$&'()+,;= -][A-Za-z0-9_.@~!$&'()+,;= -]*"
const staticPath = new RegExp(`^(?:${part}/)*${part}$`)

/** No part of a path is hidden or leads up. @throws Fault invalid_argument */
function checkPath(path: string): void {
  if (path.length <= limits.scriptNameCharsMax && staticPath.test(path)) return
  throw invalidField('path', 'must be names with / between them, none of which begins with a dot')
}

const zip = promisify(gzip)
/** Returns the compressed bytes; null if they are not fewer. */
async function compress(data: Buffer): Promise<Buffer | null> {
  if (data.length < limits.staticCompressedBytesMin) return null
  const zipped = await zip(data)
  return zipped.length < data.length ? zipped : null
}
