import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Database, Transaction } from '../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  type Implementation,
  implement,
  limits,
  newId,
  type Random,
} from '../../../foundation/kernel/index.ts'
import type { Service, ServiceCall, ServiceSecrets } from '../../scripting/index.ts'
import { solutionContentLimits } from './limits.ts'
import { contentOperations } from './operations.ts'
import { type ContentRange, collectRange, readRange } from './ranges.ts'
import { createSignedUrls, type SignedUrls } from './signed-urls.ts'
import {
  deleteFiles,
  type FileRow,
  filesStoredBefore,
  findFile,
  listFiles,
  type NewFile,
  oldFiles,
  putFile,
  readSums,
  removeSolution,
} from './store/files.ts'
import {
  createUploads,
  quotaReached,
  type RequireStorage,
  tooLargeContent,
  type Uploads,
  type UploadTarget,
} from './uploads.ts'

/** The most bytes of a content that scripts read at once; past it they name a range. */
const solutionContentReadBytesMax = 8 * 1024 * 1024

export type ContentOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly secrets: ServiceSecrets
  /** Solutions answer on `<id>.<domain>`. */
  readonly domain: string
  readonly requireStorage?: RequireStorage
}

/** A content behind a signed URL. */
export type SignedContent = {
  readonly type: string
  readonly bytes: number
  /** Differs once the content is replaced. */
  readonly etag: string
  /** Reads a part at a time. */
  read(range: ContentRange): AsyncIterable<Buffer>
}

/** The place of a sent part in the whole; without it the body is the whole. */
export type SentPart = { readonly first: number; readonly isLast: boolean }

export type SolutionContent = {
  readonly service: Service
  /** Returns whether a path of a solution's host is a signed URL. */
  owns(path: string): boolean
  /**
   * Opens the content of a signed URL.
   * @throws Fault not_found, forbidden after its time.
   */
  open(solutionId: string, path: string): Promise<SignedContent>
  /**
   * Takes what is sent to a signed URL, whole or in parts. @returns the end of what is stored;
   * undefined once it is a content.
   * @throws Fault not_found, forbidden, too_large, already_exists if the part is not the next one
   */
  write(
    solutionId: string,
    path: string,
    bytes: AsyncIterable<Buffer>,
    part?: SentPart,
  ): Promise<number | undefined>
  /** The end of the parts that were sent to a signed URL. */
  uploaded(solutionId: string, path: string): Promise<number>
  /** The same storage for other owners, whose ids are none of a solution. */
  readonly files: OwnedFiles
  /** Removes what a solution wrote before a time, each content in a transaction of its own. */
  removeOld(solutionId: string, beforeUs: number): Promise<void>
}

export type OwnedFiles = {
  /** @throws Fault too_large past the quota. */
  put(
    transaction: Transaction,
    owner: string,
    file: { readonly id: string; readonly type: string; readonly data: Buffer },
  ): Promise<void>
  /** Stores bytes as they come; if they end early nothing of them stays. @throws as `put`. */
  store(
    owner: string,
    file: { readonly id: string; readonly type: string },
    bytes: AsyncIterable<Buffer>,
  ): Promise<void>
  /** The bytes of a file, part by part; undefined if there is none. */
  open(owner: string, id: string): Promise<AsyncIterable<Buffer> | undefined>
  /** By id; those that are not there are missing. */
  read(owner: string, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  /** Ids of files stored before a time, of owners whose names begin so; some at once. */
  storedBefore(
    ownerPrefix: string,
    beforeUs: number,
  ): AsyncIterable<{ readonly owner: string; readonly ids: readonly string[] }>
  drop(transaction: Transaction, owner: string, prefix: string): Promise<void>
}

const secondUs = 1_000_000
const written = { status: 204 } as const

export function createContent(options: ContentOptions): SolutionContent {
  const { database, random } = options
  const urls = createSignedUrls(options)
  const uploads = createUploads(options)

  function openTarget(solutionId: string, path: string): UploadTarget {
    const { id, type } = urls.open(solutionId, path, 'PUT')
    const hash = createHash('sha256').update(path).digest('base64url')
    return { solutionId, target: `url ${hash}`, id, type }
  }

  return {
    service: {
      name: 'content',
      always: true,
      events: [],
      operation: implement(contentOperations, makeOperations({ ...options, urls, uploads })),
      removeIn: removeSolution,
      async usage(solutionId) {
        const { files, bytes } = await readSums(database, solutionId)
        return [
          {
            limit: 'solutionContentsMax',
            used: files,
            max: solutionContentLimits.solutionContentsMax,
          },
          { limit: 'solutionContentBytesMax', used: bytes, max: limits.solutionContentBytesMax },
        ]
      },
    },
    owns: urls.owns,
    async open(solutionId, path) {
      const { id } = urls.open(solutionId, path, 'GET')
      const file = await findFile(database, solutionId, id)
      if (file === undefined) throw unknownContent()
      const { content_type: type, bytes, updated_at: at } = file
      const read = (range: ContentRange) => readRange(database, solutionId, file, range)
      return { type, bytes, etag: `"${at.toString(36)}"`, read }
    },
    async write(solutionId, path, bytes, part) {
      const target = openTarget(solutionId, path)
      if (part === undefined) {
        await writeWhole(uploads, { ...target, target: `whole ${newId(random)}` }, bytes)
        return undefined
      }
      const end = await uploads.append(target, part.first, bytes)
      if (!part.isLast) return end
      await uploads.finish(target)
      return undefined
    },
    uploaded: async (solutionId, path) => uploads.end(openTarget(solutionId, path)),
    files: ownedFiles(options, uploads),
    removeOld: (...call) => removeOld(database, ...call),
  }
}

async function removeOld(database: Database, solutionId: string, beforeUs: number) {
  for (;;) {
    const old = await oldFiles(database, solutionId, beforeUs, limits.pageMax)
    for (const id of old) {
      await database.transaction((held) => deleteFiles(held, solutionId, { id }))
    }
    if (old.length < limits.pageMax) return
  }
}

/** A body that is cut, or too large, leaves nothing. */
async function writeWhole(
  uploads: Uploads,
  target: UploadTarget,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    await uploads.append(target, 0, bytes)
    await uploads.finish(target)
  } catch (error) {
    await uploads.drop(target)
    throw error
  }
}

function ownedFiles({ database, clock, random }: ContentOptions, uploads: Uploads): OwnedFiles {
  async function open(owner: string, id: string) {
    const file = await findFile(database, owner, id)
    return file && readRange(database, owner, file, { start: 0, length: file.bytes })
  }

  return {
    open,
    store: (owner, file, bytes) =>
      writeWhole(uploads, { ...file, solutionId: owner, target: `whole ${newId(random)}` }, bytes),
    async put(transaction, owner, file) {
      await storeIn(transaction, owner, { ...file, at: clock.nowUs() })
    },
    async read(owner, ids) {
      const found = new Map<string, Buffer>()
      for (const id of ids) {
        const bytes = await open(owner, id)
        if (bytes !== undefined) found.set(id, await collectRange(bytes))
      }
      return found
    },
    storedBefore: (...call) => filesStoredBefore(database, ...call),
    async drop(transaction, owner, prefix) {
      await deleteFiles(transaction, owner, { prefix })
    },
  }
}

type Work = Pick<ContentOptions, 'database' | 'clock' | 'requireStorage'> & {
  readonly urls: SignedUrls
  readonly uploads: Uploads
}

function makeOperations({
  database,
  clock,
  urls,
  uploads,
  requireStorage,
}: Work): Implementation<ServiceCall, typeof contentOperations.schemas> {
  async function found({ solutionId }: ServiceCall, id: string): Promise<FileRow> {
    const file = await findFile(database, solutionId, id)
    if (file === undefined) throw unknownContent()
    return file
  }

  return {
    async list({ solutionId }, { prefix = '', after = '', limit }) {
      const files = await listFiles(database, solutionId, { prefix, after, limit })
      return files.map(shown)
    },
    info: async (call, { id }) => shown(await found(call, id)),
    async read(call, { id, offset = 0, length }) {
      const file = await found(call, id)
      const start = Math.min(offset, file.bytes)
      const range = { start, length: Math.min(length ?? file.bytes, file.bytes - start) }
      if (range.length > solutionContentReadBytesMax) throw readInParts()
      const data = await collectRange(readRange(database, call.solutionId, file, range))
      return { content: new Uint8Array(data), type: file.content_type, size: file.bytes }
    },
    async upload({ solutionId }, { id, content, type, expires_in: seconds, offset, last }) {
      if (content === undefined) return urls.sign(solutionId, { id, type, method: 'PUT', seconds })
      const data = toBytes(content)
      if (offset === undefined) {
        const at = clock.nowUs()
        return shown(
          await database.transaction(async (transaction) => {
            const stored = await storeIn(transaction, solutionId, { id, type, data, at })
            await requireStorage?.(transaction, solutionId)
            return stored
          }),
        )
      }
      const target = { solutionId, target: `id ${id}`, id, type }
      if (offset === 0) await uploads.drop(target)
      const end = await uploads.append(target, offset, Readable.from([data]))
      return last === true ? shown(await uploads.finish(target)) : { id, offset: end }
    },
    async download(call, { id, expires_in: seconds }) {
      const { content_type: type } = await found(call, id)
      return urls.sign(call.solutionId, { id, type, method: 'GET', seconds })
    },
    async delete({ solutionId }, { id }) {
      const files = await database.transaction((transaction) =>
        deleteFiles(transaction, solutionId, { id }),
      )
      if (files === 0) throw unknownContent()
      return written
    },
    async clear({ solutionId }, { prefix = '' }) {
      const removed = await database.transaction((transaction) =>
        deleteFiles(transaction, solutionId, { prefix }),
      )
      return { removed }
    },
  }
}

/** @throws Fault too_large past the quota, and then nothing is stored. */
async function storeIn(
  transaction: Transaction,
  solutionId: string,
  file: NewFile,
): Promise<FileRow> {
  const { solutionContentBytesMax: bytesMax } = limits
  const { solutionContentsMax: filesMax } = solutionContentLimits
  if (file.data.length > limits.solutionContentFileBytesMax) throw tooLargeContent()
  if (!(await putFile(transaction, solutionId, file, { filesMax, bytesMax }))) throw quotaReached()
  const { id, type, data, at } = file
  return { id, content_type: type, bytes: data.length, updated_at: at, upload: null }
}

/** @throws Fault invalid_argument */
function toBytes(content: unknown): Buffer {
  if (content instanceof Uint8Array) return Buffer.from(content)
  if (typeof content === 'string') return Buffer.from(content, 'utf8')
  throw new Fault('invalid_argument', 'content must be a string')
}

function shown({ id, content_type: type, bytes: size, updated_at: at }: FileRow) {
  return { id, type, size, mtime: Math.floor(at / secondUs) }
}

function unknownContent(): Fault {
  return new Fault('not_found', 'the solution has no such content')
}

function readInParts(): Fault {
  const most = `${solutionContentReadBytesMax} bytes`
  return new Fault('too_large', `at most ${most} are read at once: give offset and length`)
}
