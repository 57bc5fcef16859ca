import { createReadStream } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Invocation, pathIn, UsageError } from './invocation.ts'
import { parseYaml } from './yaml.ts'

/** More than any password or token has. */
const secretBytesMax = 64 * 1024

/** The input of a command: files of its working folder, its standard input, and its terminal. */
export class Input {
  readonly #invocation: Invocation

  constructor(invocation: Invocation) {
    this.#invocation = invocation
  }

  get stdin(): Invocation['stdin'] {
    return this.#invocation.stdin
  }

  /** True if a person can be asked. */
  get isTerminal(): boolean {
    return this.stdin.isTTY === true
  }

  /** The path of a file or folder as a program may open it. */
  path(path: string): string {
    return pathIn(this.#invocation.folder, path)
  }

  /** Opens the file of an option. @throws UsageError if that fails, or it is a directory. */
  async openFile(option: string, path: string, flags: string): Promise<FileHandle> {
    try {
      const file = await open(this.path(path), flags)
      if (!(await file.stat()).isDirectory()) return file
      await file.close()
    } catch (error) {
      throw new UsageError(`--${option}: ${(error as Error).message}`)
    }
    throw new UsageError(`--${option}: ${path} is a directory`)
  }

  /** Reads the file of an option; `-` is the standard input. @throws UsageError */
  async textOfFile(option: string, file: string): Promise<string> {
    try {
      if (file === '-') return await text(this.stdin)
      return withoutMark(await readFile(this.path(file), 'utf8'))
    } catch (error) {
      throw new UsageError(`--${option}: ${(error as Error).message}`)
    }
  }

  /** Parses the file of an option. @throws UsageError if it is no JSON. */
  async jsonOfFile(option: string, file: string): Promise<unknown> {
    const text = await this.#readable(option, file)
    try {
      return JSON.parse(text)
    } catch {
      throw new UsageError(`--${option} ${file} does not contain JSON`)
    }
  }

  /** Parses the file of an option. @throws UsageError if it holds no object as YAML or JSON. */
  async yamlOfFile(option: string, file: string): Promise<Readonly<Record<string, unknown>>> {
    const text = await this.#readable(option, file)
    let value: unknown
    try {
      value = parseYaml(text)
    } catch (error) {
      throw new UsageError(
        `--${option} ${file} is neither YAML nor JSON: ${(error as Error).message}`,
      )
    }
    if (isObject(value)) return value
    throw new UsageError(`--${option} ${file} holds no object`)
  }

  /**
   * Reads a secret from a file; `-` is the standard input. A line end after it is not part of it.
   * @throws UsageError if there is none, or it is too large.
   */
  async readSecret(option: string, file: string): Promise<string> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of file === '-' ? this.stdin : createReadStream(this.path(file))) {
        chunks.push(chunk as Buffer)
        size += (chunk as Buffer).length
        if (size > secretBytesMax) break
      }
    } catch (error) {
      throw new UsageError(`--${option}: ${(error as Error).message}`)
    }
    if (size > secretBytesMax) throw new UsageError(`--${option} holds more than a secret`)
    const text = withoutMark(Buffer.concat(chunks).toString('utf8')).replace(/\r?\n$/, '')
    if (text === '') throw new UsageError(`--${option} holds nothing`)
    return text
  }

  /** The secret in the file of an option, else one that is typed. @throws UsageError */
  resolveSecret(option: string, file: string | undefined, what: string): Promise<string> {
    return file === undefined ? this.#askSecret(option, what) : this.readSecret(option, file)
  }

  /** The same of a new secret, which is typed twice. @throws UsageError */
  resolveNewSecret(option: string, file: string | undefined, what: string): Promise<string> {
    return file === undefined ? this.#askNewSecret(option, what) : this.readSecret(option, file)
  }

  /** Asks a question that is answered by yes or no. */
  async askYes(question: string): Promise<boolean> {
    const asking = createInterface({ input: this.stdin, output: this.#invocation.stderr })
    try {
      return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim())
    } finally {
      asking.close()
    }
  }

  async #readable(option: string, file: string): Promise<string> {
    const read = await readFile(this.path(file), 'utf8').catch(() => {
      throw new UsageError(`--${option} ${file} is no file that can be read`)
    })
    return withoutMark(read)
  }

  /** Reads a secret from the terminal, without showing it. @throws UsageError without a terminal. */
  async #askSecret(option: string, what: string): Promise<string> {
    if (!this.isTerminal) {
      throw new UsageError(`--${option} is missing, and there is no terminal to ask for ${what}`)
    }
    const { stderr, interrupt } = this.#invocation
    stderr.write(`${what}: `)
    const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
    const asking = createInterface({ input: this.stdin, output: unseen, terminal: true })
    asking.on('SIGINT', interrupt)
    try {
      return await asking.question('')
    } finally {
      asking.close()
      stderr.write('\n')
    }
  }

  /** Reads a new secret twice. @throws UsageError if the second differs. */
  async #askNewSecret(option: string, what: string): Promise<string> {
    const first = await this.#askSecret(option, what)
    if ((await this.#askSecret(option, `${what}, again`)) === first) return first
    throw new UsageError(`${what} was typed in two ways`)
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Some shells and editors write a byte order mark at the start of a file. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
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

/** A time that a person writes, or microseconds, in microseconds. @throws UsageError */
export function parseMicroseconds(option: string, text: string): number {
  if (/^\d{16}$/.test(text)) return Number(text)
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new UsageError(`--${option} is a time, such as 2026-01-31T08:00Z`)
  // A Date has milliseconds alone.
  const below = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? ''
  return ms * 1_000 + Number(below.padEnd(3, '0'))
}
