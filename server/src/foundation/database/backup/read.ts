import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { extract } from 'tar-stream'
import { anyJson, Fault, parseJson } from '../../kernel/index.ts'
import { databaseLimits } from '../limits.ts'
import {
  type End,
  endName,
  entryBytesMax,
  keysFolder,
  type Manifest,
  manifestName,
  type Part,
  parseEnd,
  parseManifest,
} from './manifest.ts'
import type { KeyFile } from './write.ts'
import { hashBytes, onePiece } from './write.ts'

const decompress = promisify(zstdDecompress)

/** An entry of a backup, in the order of the archive. */
export type BackupEntry =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'key'; readonly file: KeyFile }
  /** Compressed rows of a table. */
  | {
      readonly kind: 'part'
      readonly name: string
      readonly table: string
      readonly bytes: Buffer
      readonly sha256: string
    }
  | { readonly kind: 'end'; readonly end: End }

/**
 * Reads a backup. Names, order and the list of parts at the end are checked: whoever reads to the
 * end has seen every part, as it was written. The input may leave out parts that were read
 * `before`, from the first one on.
 * @throws Fault backup_refused with what is wrong.
 */
export async function* readBackup(
  input: Readable,
  before: readonly Part[] = [],
): AsyncGenerator<BackupEntry, void> {
  const entries = extract()
  input.once('error', (error) => entries.destroy(error))
  input.pipe(entries)
  const seen = [...before]
  const tables = new Set<string>()
  let isEnded = false
  try {
    for await (const entry of entries) {
      const bytes = await readBytes(entry, entry.header.name, entry.header.size ?? 0)
      const read = toEntry(entry.header.name, bytes)
      if (isEnded || (read.kind === 'manifest') !== (tables.size === 0)) {
        throw refused(`its entry ${entry.header.name} stands at the wrong place`)
      }
      if (read.kind === 'manifest') for (const { name } of read.manifest.tables) tables.add(name)
      if (read.kind === 'part') {
        if (!tables.has(read.table)) throw refused(`it names no table ${read.table}`)
        seen.push({ name: read.name, sha256: read.sha256 })
      }
      if (read.kind === 'end') {
        compareParts(read.end, seen)
        isEnded = true
      }
      yield read
    }
  } catch (error) {
    throw error instanceof Fault ? error : refused((error as Error).message, error)
  } finally {
    input.destroy()
  }
  if (!isEnded) throw refused('it was cut off: its end is missing')
}

/** @throws Fault backup_refused */
export async function unpackRows(part: { readonly name: string; readonly bytes: Buffer }) {
  try {
    const maxOutputLength = 4 * databaseLimits.backupPartBytes
    return await decompress(part.bytes, { maxOutputLength, ...onePiece })
  } catch (error) {
    throw refused(`its part ${part.name} cannot be unpacked`, error)
  }
}

export function refused(why: string, cause?: unknown): Fault {
  return new Fault('backup_refused', `The backup cannot be used: ${why}.`, { cause })
}

async function readBytes(
  entry: AsyncIterable<Buffer>,
  name: string,
  size: number,
): Promise<Buffer> {
  if (size > entryBytesMax(name)) throw refused(`its entry ${name.slice(0, 100)} is too large`)
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function toEntry(name: string, bytes: Buffer): BackupEntry {
  if (name === manifestName) return { kind: 'manifest', manifest: parsed(parseManifest, bytes) }
  if (name === endName) return { kind: 'end', end: parsed(parseEnd, bytes) }
  const [folder = '', file = '', ...more] = name.split('/')
  if (more.length === 0 && folder === keysFolder && /^[a-z][a-z.-]{0,40}$/.test(file)) {
    return { kind: 'key', file: { name: file, bytes } }
  }
  if (more.length === 0 && /^[0-9]{8}\.copy\.zst$/.test(file)) {
    return { kind: 'part', name, table: folder, bytes, sha256: hashBytes(bytes) }
  }
  throw refused(`its entry ${JSON.stringify(name.slice(0, 100))} is not known`)
}

function parsed<Value>(parse: (value: unknown) => Value, bytes: Buffer): Value {
  try {
    return parse(parseJson(bytes.toString('utf8'), anyJson(bytes.length)))
  } catch (error) {
    throw refused((error as Error).message.replace(/\.$/, ''), error)
  }
}

function compareParts({ parts }: End, seen: End['parts']): void {
  const wrong = parts.find(({ name, sha256 }, at) => {
    return seen[at]?.name !== name || seen[at]?.sha256 !== sha256
  })
  if (wrong !== undefined) throw refused(`its part ${wrong.name} is missing or was changed`)
  if (seen.length > parts.length) throw refused('it has more parts than its end lists')
}
