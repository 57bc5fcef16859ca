import type { Database, Transaction } from '../../../foundation/database/index.ts'
import { type Clock, Fault, limits, newId, type Random } from '../../../foundation/kernel/index.ts'
import { solutionContentLimits } from './limits.ts'
import { type FileRow, putFile } from './store/files.ts'
import {
  appendPart,
  beginUpload,
  dropUpload,
  endUpload,
  removeOldUploads,
  uploadedBytes,
  usage,
} from './store/uploads.ts'

/** The bytes of a part, in which larger contents are stored, sent and read. */
const solutionContentPartBytes = 1024 * 1024

/** After a content was stored. @throws Fault `business_quota_full` of the solution's business. */
export type RequireStorage = (transaction: Transaction, solutionId: string) => Promise<void>

/** An upload in parts, and the content that it becomes. */
export type UploadTarget = {
  readonly solutionId: string
  /** By which its next parts find it. */
  readonly target: string
  readonly id: string
  readonly type: string
}

/**
 * Uploads of contents in parts. Each part is stored by itself and follows the one before, so that
 * memory is bounded and an upload that was cut goes on where it ended. The last step makes a
 * content of all parts, in one transaction.
 */
export type Uploads = {
  /** The number of bytes that are stored. */
  end(target: UploadTarget): Promise<number>
  /**
   * Appends bytes at a position. @returns the new end.
   * @throws Fault already_exists if the upload ends elsewhere, too_large, too_many_requests
   */
  append(target: UploadTarget, first: number, bytes: AsyncIterable<Buffer>): Promise<number>
  /** Makes a content of it. @throws Fault not_found, too_large */
  finish(target: UploadTarget): Promise<FileRow>
  drop(target: UploadTarget): Promise<void>
}

const usPerMs = 1_000

export function createUploads({
  database,
  clock,
  random,
  requireStorage,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly requireStorage?: RequireStorage | undefined
}): Uploads {
  async function begin({ solutionId, target }: UploadTarget): Promise<void> {
    const at = clock.nowUs()
    await removeOldUploads(
      database,
      at - solutionContentLimits.solutionContentUploadIdleMs * usPerMs,
    )
    const { uploads } = await usage(database, solutionId)
    if (uploads >= solutionContentLimits.solutionContentUploadsMax) {
      const most = `${solutionContentLimits.solutionContentUploadsMax} uploads`
      throw new Fault('too_many_requests', `a solution has begun at most ${most} at once`)
    }
    await beginUpload(database, solutionId, { target, upload: newId(random), atUs: at })
  }

  async function store({ solutionId, target }: UploadTarget, first: number, data: Buffer) {
    if (first + data.length > limits.solutionContentFileBytesMax) throw tooLargeContent()
    const { bytes } = await usage(database, solutionId)
    if (bytes + data.length > limits.solutionContentBytesMax) throw quotaReached()
    const part = { first, data, atUs: clock.nowUs() }
    if (!(await appendPart(database, solutionId, target, part))) throw elsewhere()
  }

  return {
    end: async ({ solutionId, target }) => (await uploadedBytes(database, solutionId, target)) ?? 0,
    async append(wanted, first, bytes) {
      const { solutionId, target } = wanted
      const known = await uploadedBytes(database, solutionId, target)
      if ((known ?? 0) !== first) throw elsewhere()
      if (known === undefined) await begin(wanted)
      let end = first
      for await (const part of splitParts(bytes)) {
        await store(wanted, end, part)
        end += part.length
      }
      return end
    },
    finish: ({ solutionId, target, id, type }) =>
      database.transaction(async (transaction) => {
        const parts = await endUpload(transaction, solutionId, target)
        if (parts === undefined) throw new Fault('not_found', 'there is no such upload')
        const at = clock.nowUs()
        const file = { id, type, data: Buffer.alloc(0), at, parts }
        const { solutionContentBytesMax: bytesMax } = limits
        const { solutionContentsMax: filesMax } = solutionContentLimits
        if (!(await putFile(transaction, solutionId, file, { filesMax, bytesMax }))) {
          throw quotaReached()
        }
        await requireStorage?.(transaction, solutionId)
        return { id, content_type: type, ...parts, updated_at: at }
      }),
    async drop({ solutionId, target }) {
      await database.transaction((transaction) => dropUpload(transaction, solutionId, target))
    },
  }
}

/** Bytes in pieces of one size, but for the last. */
async function* splitParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const size = solutionContentPartBytes
  let pieces: Buffer[] = []
  let length = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    length += piece.length
    if (length < size) continue
    const whole = Buffer.concat(pieces)
    let at = 0
    for (; whole.length - at >= size; at += size) yield whole.subarray(at, at + size)
    pieces = [whole.subarray(at)]
    length = whole.length - at
  }
  if (length > 0) yield Buffer.concat(pieces)
}

function elsewhere(): Fault {
  return new Fault('already_exists', 'the upload ends at another byte')
}

export function tooLargeContent(): Fault {
  const most = `${limits.solutionContentFileBytesMax} bytes`
  return new Fault('too_large', `a content has at most ${most}`)
}

export function quotaReached(): Fault {
  const { solutionContentsMax: contents } = solutionContentLimits
  const most = `${contents} contents and ${limits.solutionContentBytesMax} bytes`
  return new Fault('too_large', `a solution keeps at most ${most}`)
}
