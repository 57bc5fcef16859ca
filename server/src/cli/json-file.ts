import { readFile } from 'node:fs/promises'
import { UsageError } from './command.ts'

/** What the file of an option says. @throws UsageError where it is no JSON */
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
