import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Database } from '../../../../foundation/database/index.ts'
import { type Clock, Fault } from '../../../../foundation/kernel/index.ts'
import type { StaticFileStore } from '../../../scripting/index.ts'
import { webserviceLimits } from '../limits.ts'
import {
  deleteStatic,
  findStatic,
  listStatic,
  putStatic,
  readStatic,
} from '../store/static-files.ts'
import { putUpload, removeOldUploads } from '../store/static-uploads.ts'
import { contentTypeFor, isCompressible } from './content-types.ts'
import { checkPath, tooManyFiles } from './push.ts'

/** The fewest bytes of a static file that is also compressed: less does not fill a packet. */
const staticCompressedBytesMin = 1_024
/** How long bytes that were uploaded for a push are kept until a push takes them. */
const solutionStaticUploadMs = 3_600_000

const usPerMs = 1_000

export function createStaticFiles({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): StaticFileStore {
  const { solutionStaticFilesMax: filesMax, solutionStaticBytesMax: bytesMax } = webserviceLimits
  const quota = { filesMax, bytesMax }
  return {
    list: (solutionId) => listStatic(database, solutionId),
    async put(solutionId, path, data) {
      checkPath(path)
      const contentType = contentTypeFor(path)
      const gzipped = isCompressible(contentType) ? await compress(data) : null
      const file = { path, contentType, etag: makeEtag(data), data, gzipped }
      await database.transaction(async (transaction) => {
        const dated = { updatedAt: clock.nowUs(), ...file }
        if (!(await putStatic(transaction, solutionId, dated, quota))) throw tooManyFiles()
      })
      const stored = await findStatic(database, solutionId, path)
      if (stored === undefined) throw new Fault('overloaded')
      return stored
    },
    async read(solutionId, path) {
      const file = await findStatic(database, solutionId, path)
      const whole = { start: 0, length: file?.bytes ?? 0, isGzipped: false }
      const data = file && (await readStatic(database, solutionId, file, whole))
      if (file === undefined || data === undefined) throw unknownFile()
      return { type: file.contentType, data }
    },
    async remove(solutionId, path) {
      const isGone = await database.transaction((transaction) =>
        deleteStatic(transaction, solutionId, path),
      )
      if (!isGone) throw unknownFile()
    },
    async upload(solutionId, data) {
      const gzipped = await compress(data)
      const etag = makeEtag(data)
      const at = clock.nowUs()
      await removeOldUploads(database, at - solutionStaticUploadMs * usPerMs)
      await database.transaction(async (transaction) => {
        const upload = { etag, data, gzipped }
        if (!(await putUpload(transaction, solutionId, upload, at, quota))) throw tooManyFiles()
      })
      return { etag, bytes: data.length }
    },
  }
}

function makeEtag(data: Buffer): string {
  return createHash('sha256').update(data).digest('base64url')
}

function unknownFile(): Fault {
  return new Fault('not_found', 'The solution has no such static file.')
}

const zip = promisify(gzip)
/** Returns the compressed bytes; null if they are not fewer. */
async function compress(data: Buffer): Promise<Buffer | null> {
  if (data.length < staticCompressedBytesMin) return null
  const zipped = await zip(data)
  return zipped.length < data.length ? zipped : null
}
