import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { CheckedParts } from './checked-parts.ts'
import { type FileLayout, readLayout } from './layout.ts'
import type { Part } from './manifest.ts'
import { type BackupEntry, readBackup, unpackRows } from './read.ts'

export type VerifyResult = {
  readonly createdAt: string
  readonly tables: number
  readonly parts: number
  readonly hasKeys: boolean
}

export type VerifyProgress = {
  readonly table: string
  /** Bytes of the parts up to now, those of an earlier check included. */
  readonly bytes: number
  /** Bytes of the file. */
  readonly ofBytes: number
}

export type VerifyOptions = {
  /** Reads all, even if an earlier check was interrupted. */
  readonly fromStart: boolean
  readonly signal: AbortSignal
  /** Called once if parts are left out that an earlier check has read. */
  readonly resumed: (parts: number, ofParts: number) => void
  readonly progress: (progress: VerifyProgress) => void
  /** Called once if the state of the check cannot be written or removed. */
  readonly notKept: (path: string, error: Error) => void
}

/**
 * Reads a whole backup, and unpacks each part of it, but for those that were read `before`.
 * @throws Fault backup_refused with the first thing that is wrong.
 */
export async function verifyBackup(
  input: Readable,
  progress?: (entry: BackupEntry) => void,
  before: readonly Part[] = [],
): Promise<VerifyResult> {
  let createdAt = ''
  let tables = 0
  let parts = before.length
  let hasKeys = false
  for await (const entry of readBackup(input, before)) {
    if (entry.kind === 'manifest') {
      createdAt = entry.manifest.createdAt
      tables = entry.manifest.tables.length
    }
    if (entry.kind === 'key') hasKeys = true
    if (entry.kind === 'part') {
      await unpackRows(entry)
      parts += 1
    }
    progress?.(entry)
  }
  return { createdAt, tables, parts, hasKeys }
}

/**
 * Reads a backup as `verifyBackup` does. If it is interrupted, the next call goes on behind the
 * last part that was found whole, unless the file was changed.
 * @throws Fault backup_refused; the signal's reason.
 */
export async function verifyBackupFile(
  path: string,
  options: VerifyOptions,
): Promise<VerifyResult> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const layout = await readLayout(handle, size)
    if (layout === undefined) return await verifyBackup(createReadStream(path))
    const checked = await CheckedParts.open(path, handle, layout)
    const before = options.fromStart ? [] : checked.recall(layout)
    if (before.length > 0) options.resumed(before.length, layout.parts.length)
    return await verifyRest(path, size, { checked, before, layout }, options)
  } finally {
    await handle.close()
  }
}

type Rest = {
  readonly checked: CheckedParts
  readonly before: readonly Part[]
  readonly layout: FileLayout
}

async function verifyRest(
  path: string,
  size: number,
  { checked, before, layout }: Rest,
  { signal, progress, notKept }: VerifyOptions,
): Promise<VerifyResult> {
  const first = layout.parts[0]?.at ?? layout.endAt
  const next = layout.parts[before.length]?.at ?? layout.endAt
  let bytes = next
  const interrupted = Promise.withResolvers<never>()
  const stop = () => interrupted.reject(signal.reason)
  signal.addEventListener('abort', stop)
  const input = Readable.from(readPieces(path, first, next), { objectMode: false })
  const take = (entry: BackupEntry) => {
    if (entry.kind !== 'part' || signal.aborted) return
    checked.add({ name: entry.name, sha256: entry.sha256 })
    bytes += entry.bytes.length
    progress({ table: entry.table, bytes, ofBytes: size })
  }
  try {
    const result = await Promise.race([verifyBackup(input, take, before), interrupted.promise])
    checked.forget()
    return result
  } catch (error) {
    // A fault may be the disk's: the next check reads all.
    if (signal.aborted) checked.keep()
    else checked.forget()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    input.destroy()
    if (checked.failure !== undefined) notKept(checked.path, checked.failure)
  }
}

/** The manifest and the keys, and all that is still to be read: together an archive, too. */
async function* readPieces(
  path: string,
  first: number,
  next: number,
): AsyncGenerator<Buffer, void> {
  if (first > 0) yield* createReadStream(path, { end: first - 1 })
  yield* createReadStream(path, { start: next })
}
