import type { Database } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import { type FileRow, readBytes } from './store/files.ts'
import { readPart } from './store/uploads.ts'

export type ContentRange = { readonly start: number; readonly length: number }

/**
 * Reads a range of a content, a part at a time.
 * @throws Fault overloaded if the content is replaced meanwhile
 */
export async function* readRange(
  database: Database,
  solutionId: string,
  file: FileRow,
  { start, length }: ContentRange,
): AsyncGenerator<Buffer> {
  if (file.upload === null) {
    const data = await readBytes(database, solutionId, file, { start, length })
    if (data === undefined) throw replaced()
    yield data
    return
  }
  const end = start + length
  for (let at = start; at < end; ) {
    const part = await readPart(database, solutionId, file.upload, at)
    const data = part?.data.subarray(at - part.first, end - part.first)
    if (data === undefined || data.length === 0) throw replaced()
    yield data
    at += data.length
  }
}

export async function collectRange(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

function replaced(): Fault {
  return new Fault('overloaded', 'the content was replaced meanwhile')
}
