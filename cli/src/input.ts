import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parse } from 'yaml'
import { UsageError } from './command.ts'

/** Reads the file of an option. @throws UsageError */
export function textOfFile(option: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`--${option}: ${error.message}`)
  })
}

async function readable(option: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--${option} ${file} is no file that can be read`)
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses the file of an option. @throws UsageError if it is no JSON. */
export async function jsonOfFile(option: string, file: string): Promise<unknown> {
  const text = await readable(option, file)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${option} ${file} holds no JSON`)
  }
}

/** Parses the value of an option. @throws UsageError if it is no JSON. */
export function jsonOfText(option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${option} is no JSON`)
  }
}

/** Parses the value of an option. @throws UsageError if it is no JSON object. */
export function objectOfText(option: string, text: string): Readonly<Record<string, unknown>> {
  const value = jsonOfText(option, text)
  if (isObject(value)) return value
  throw new UsageError(`--${option} is a JSON object`)
}

/** Parses the file of an option. @throws UsageError if it holds no object as YAML or JSON. */
export async function yamlOfFile(
  option: string,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readable(option, file)
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    throw new UsageError(
      `--${option} ${file} is neither YAML nor JSON: ${(error as Error).message}`,
    )
  }
  if (isObject(value)) return value
  throw new UsageError(`--${option} ${file} holds no object`)
}

/** @throws UsageError */
export function yesOrNo(option: string, text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError(`--${option} is yes or no`)
}

/** @throws UsageError */
export function wholeNumber(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${option} is a whole number`)
}

/** Milliseconds since 1970 of a time as people write it. @throws UsageError */
export function milliseconds(option: string, text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new UsageError(`--${option} is a time, such as 2030-01-31T12:00Z`)
  return ms
}

/** More than any password or token has. */
const secretBytesMax = 64 * 1024

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
      if (size > secretBytesMax) break
    }
  } catch (error) {
    throw new UsageError(`--${option}: ${(error as Error).message}`)
  }
  if (size > secretBytesMax) throw new UsageError(`--${option} holds more than a secret`)
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (text === '') throw new UsageError(`--${option} holds nothing`)
  return text
}

/** Reads a secret from the terminal, without showing it. @throws UsageError without a terminal. */
async function askSecret(option: string, what: string): Promise<string> {
  if (process.stdin.isTTY !== true) {
    throw new UsageError(`--${option} is missing, and there is no terminal to ask for ${what}`)
  }
  process.stderr.write(`${what}: `)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: process.stdin, output: unseen, terminal: true })
  // The terminal passes Ctrl-C on as a letter while it shows nothing.
  asking.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await asking.question('')
  } finally {
    asking.close()
    process.stderr.write('\n')
  }
}

/** Reads a new secret twice. @throws UsageError if the second differs. */
async function askNewSecret(option: string, what: string): Promise<string> {
  const first = await askSecret(option, what)
  if ((await askSecret(option, `${what}, again`)) === first) return first
  throw new UsageError(`${what} was typed in two ways`)
}

/** The secret in the file of an option, else one that is typed. @throws UsageError */
export function secretOf(option: string, file: string | undefined, what: string): Promise<string> {
  return file === undefined ? askSecret(option, what) : readSecret(option, file)
}

/** The same of a new secret, which is typed twice. @throws UsageError */
export function newSecretOf(
  option: string,
  file: string | undefined,
  what: string,
): Promise<string> {
  return file === undefined ? askNewSecret(option, what) : readSecret(option, file)
}

/** Asks a question that is answered by yes or no. */
export async function askYes(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim())
  } finally {
    asking.close()
  }
}

/** A time that a person writes, or microseconds, in microseconds. @throws UsageError */
export function microsecondsOf(option: string, text: string): number {
  if (/^\d{16}$/.test(text)) return Number(text)
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new UsageError(`--${option} is a time, such as 2026-01-31T08:00Z`)
  // A Date has milliseconds alone.
  const below = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? ''
  return ms * 1_000 + Number(below.padEnd(3, '0'))
}
