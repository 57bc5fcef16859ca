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
