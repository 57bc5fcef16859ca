import type { Database, Transaction } from '../../database/index.ts'
import { type Clock, Fault, type Implementation, implement, limits } from '../../kernel/index.ts'
import type { Service, ServiceCall, ServiceSecrets } from '../../scripting/index.ts'
import { contentOperations } from './operations.ts'
import { createSignedUrls, type SignedUrls } from './signed-urls.ts'
import {
  deleteFiles,
  type FileRow,
  findFile,
  listFiles,
  type NewFile,
  putFile,
  readFile,
  readFiles,
  removeSolution,
} from './store.ts'

export type ContentOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly secrets: ServiceSecrets
  /** Solutions answer on `<id>.<domain>`. */
  readonly domain: string
}

/** A content as it is sent. */
export type SentFile = { readonly type: string; readonly data: Buffer }

export type SolutionContent = {
  readonly service: Service
  /** Whether a path of a solution's host is a signed URL. */
  owns(path: string): boolean
  /** What a signed URL reads. @throws Fault not_found, method_not_allowed, gone by its time. */
  read(solutionId: string, path: string): Promise<SentFile>
  /** Takes what was sent to a signed URL. */
  write(solutionId: string, path: string, data: Buffer): Promise<void>
  /** The same storage for other owners, whose ids are none of a solution. */
  readonly files: OwnedFiles
}

export type OwnedFiles = {
  /** @throws Fault too_large past the quota. */
  put(
    transaction: Transaction,
    owner: string,
    file: { readonly id: string; readonly type: string; readonly data: Buffer },
  ): Promise<void>
  /** By id; those that are not there are missing. */
  read(owner: string, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>
  drop(transaction: Transaction, owner: string, prefix: string): Promise<void>
}

const secondUs = 1_000_000
const written = { status: 204 } as const

export function createContent(options: ContentOptions): SolutionContent {
  const { database, clock } = options
  const urls = createSignedUrls(options)
  const put = (solutionId: string, id: string, type: string, data: Buffer) =>
    store(database, solutionId, { id, type, data, at: clock.nowUs() })
  return {
    service: {
      name: 'content',
      always: true,
      events: [],
      operation: implement(contentOperations, operationsOf(database, urls, put)),
      removeIn: removeSolution,
    },
    owns: urls.owns,
    async read(solutionId, path) {
      const { id } = urls.open(solutionId, path, 'GET')
      const file = await readFile(database, solutionId, id)
      if (file === undefined) throw unknownContent()
      return { type: file.content_type, data: Buffer.from(file.data) }
    },
    async write(solutionId, path, data) {
      const { id, type } = urls.open(solutionId, path, 'PUT')
      await put(solutionId, id, type, data)
    },
    files: {
      async put(transaction, owner, file) {
        await storeIn(transaction, owner, { ...file, at: clock.nowUs() })
      },
      async read(owner, ids) {
        const files = await readFiles(database, owner, ids)
        return new Map(files.map(({ id, data }) => [id, Buffer.from(data)]))
      },
      async drop(transaction, owner, prefix) {
        await deleteFiles(transaction, owner, { prefix })
      },
    },
  }
}

type Put = (solutionId: string, id: string, type: string, data: Buffer) => Promise<FileRow>

function operationsOf(
  database: Database,
  urls: SignedUrls,
  put: Put,
): Implementation<ServiceCall, typeof contentOperations.schemas> {
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
    async read({ solutionId }, { id }) {
      const file = await readFile(database, solutionId, id)
      if (file === undefined) throw unknownContent()
      return { content: new Uint8Array(file.data), type: file.content_type }
    },
    async upload({ solutionId }, { id, content, type, expires_in: seconds }) {
      if (content === undefined) return urls.sign(solutionId, { id, type, method: 'PUT', seconds })
      return shown(await put(solutionId, id, type, bytesOf(content)))
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

function store(database: Database, solutionId: string, file: NewFile): Promise<FileRow> {
  return database.transaction((transaction) => storeIn(transaction, solutionId, file))
}

/** @throws Fault too_large past the quota, and then nothing is stored. */
async function storeIn(
  transaction: Transaction,
  solutionId: string,
  file: NewFile,
): Promise<FileRow> {
  const { solutionContentBytesMax: bytesMax, solutionContentsMax: filesMax } = limits
  if (file.data.length > limits.solutionContentFileBytesMax) {
    throw new Fault(
      'too_large',
      `a content has at most ${limits.solutionContentFileBytesMax} bytes`,
    )
  }
  if (!(await putFile(transaction, solutionId, file, { filesMax, bytesMax }))) {
    const most = `${filesMax} contents and ${bytesMax} bytes`
    throw new Fault('too_large', `a solution keeps at most ${most}`)
  }
  const { id, type, data, at } = file
  return { id, content_type: type, bytes: data.length, updated_at: at }
}

/** @throws Fault invalid_argument */
function bytesOf(content: unknown): Buffer {
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
