import type { FileHandle } from 'node:fs/promises'
import { endName, entryBytesMax } from './manifest.ts'

/** The places of a backup's entries in its file, found by their headers alone. */
export type FileLayout = {
  /** The parts in order; each reaches up to the next one, or to the end. */
  readonly parts: readonly { readonly name: string; readonly at: number }[]
  readonly endAt: number
  /** The content of `end.json`. */
  readonly end: Buffer
}

const blockBytes = 512
const nameBytes = 100
const sizeAt = 124
const sizeBytes = 12
const magicAt = 257

/**
 * Returns undefined if it is not laid out as a backup is written: parts that follow each other
 * without another entry between, and the end. Whoever reads all of it gets the reason.
 */
export async function readLayout(file: FileHandle, bytes: number): Promise<FileLayout | undefined> {
  const parts: { name: string; at: number }[] = []
  for (let at = 0; at + blockBytes <= bytes; ) {
    const header = parseHeader(await read(file, at, blockBytes))
    if (header === undefined) return undefined
    const { name, size } = header
    if (name === endName) {
      if (size > entryBytesMax(name)) return undefined
      return { parts, endAt: at, end: await read(file, at + blockBytes, size) }
    }
    if (name.endsWith('.zst')) parts.push({ name, at })
    else if (parts.length > 0) return undefined
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  return undefined
}

/** Names and sizes of a backup are short: none needs the extensions of the format. */
function parseHeader(block: Buffer): { readonly name: string; readonly size: number } | undefined {
  if (block.toString('latin1', magicAt, magicAt + 5) !== 'ustar') return undefined
  const text = (at: number, length: number) =>
    block.toString('latin1', at, at + length).replace(/[\0 ]+$/, '')
  const digits = text(sizeAt, sizeBytes)
  return /^[0-7]+$/.test(digits)
    ? { name: text(0, nameBytes), size: Number.parseInt(digits, 8) }
    : undefined
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  return buffer.subarray(0, bytesRead)
}
