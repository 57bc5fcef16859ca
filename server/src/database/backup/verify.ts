import type { Readable } from 'node:stream'
import { type BackupEntry, readBackup, rowsOf } from './read.ts'

export type VerifyResult = {
  readonly createdAt: string
  readonly tables: number
  readonly parts: number
  readonly hasKeys: boolean
}

/**
 * Reads a whole backup, and unpacks each part of it.
 * @throws Fault backup_refused with the first thing that is wrong.
 */
export async function verifyBackup(
  input: Readable,
  progress?: (entry: BackupEntry) => void,
): Promise<VerifyResult> {
  let createdAt = ''
  let tables = 0
  let parts = 0
  let hasKeys = false
  for await (const entry of readBackup(input)) {
    if (entry.kind === 'manifest') {
      createdAt = entry.manifest.createdAt
      tables = entry.manifest.tables.length
    }
    if (entry.kind === 'key') hasKeys = true
    if (entry.kind === 'part') {
      await rowsOf(entry)
      parts += 1
    }
    progress?.(entry)
  }
  return { createdAt, tables, parts, hasKeys }
}
