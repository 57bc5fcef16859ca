import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { UsageError } from './command.ts'

/** Parses the file of an option. @throws UsageError if it is no JSON */
export async function jsonOfFile(option: string, file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--${option} ${file} is no file that can be read`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${option} ${file} holds no JSON`)
  }
}

/** More than any password or token has. */
const secretBytes = 64 * 1024

/**
 * Reads a secret from a file; `-` is the standard input. One line end after it is not part of it.
 * @throws UsageError if there is none, or it is too large.
 */
export async function readSecret(option: string, file: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size > secretBytes) break
    }
  } catch (error) {
    throw new UsageError(`--${option}: ${(error as Error).message}`)
  }
  if (size > secretBytes) throw new UsageError(`--${option} holds more than a secret`)
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (text === '') throw new UsageError(`--${option} holds nothing`)
  return text
}
