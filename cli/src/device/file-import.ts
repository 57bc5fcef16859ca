import { type FileHandle, rename, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { ApiError, type MillraceClient, uploadForm } from '@millrace/client'
import { UsageError } from '../command.ts'
import type { Input } from '../input.ts'
import { formatCount, megabytes, type Status } from '../output/status-line.ts'
import { ImportAnswer, type RowCounts } from './import-answer.ts'

/** The instance reads a file of a gigabyte to its end before it answers. */
const answerMsMax = 10 * 60_000

export type FileImportOptions = {
  readonly connector: string
  readonly file: string
  /** A file for the answer. */
  readonly answer: string | undefined
  /** The fields of the form beside the file. */
  readonly fields: Readonly<Record<string, string>>
  readonly input: Input
  readonly signal: AbortSignal
  /** Called with rows that failed, as CSV. */
  readonly failed: (header: string, rows: readonly string[]) => Promise<void>
}

/** Whitelists the identities of a CSV file, which is never held in memory, nor is its answer. */
export class FileImport {
  readonly #options: FileImportOptions
  readonly #answer = new ImportAnswer()
  #bytes = 0
  #sent = 0
  /** True when the file was read to its end. */
  #isSent = false
  /** The rows of the file, from the answer's head. */
  #rows: number | undefined
  #answeredAtMs: number | undefined

  constructor(options: FileImportOptions) {
    this.#options = options
  }

  /**
   * Sends the file and reads the answer. Returns the counts of its rows.
   * @throws UsageError, ApiError; Error with what is known of the rows if it was cut short.
   */
  async run(api: MillraceClient): Promise<RowCounts> {
    const { answer, file, input } = this.#options
    const source = await input.openFile('file', file, 'r')
    let kept: FileHandle | undefined
    try {
      const { size } = await source.stat()
      this.#bytes = size
      if (answer !== undefined) kept = await openDraft(input, answer)
      await this.#transfer(api, source, kept)
    } catch (error) {
      throw this.#explain(error)
    } finally {
      await kept?.close()
      await source.close()
    }
    if (answer !== undefined) await rename(input.path(draftPath(answer)), input.path(answer))
    return this.#answer.counts
  }

  get state(): Status {
    if (this.#answeredAtMs === undefined) return this.#sending()
    const { total, failed } = this.#answer.counts
    const rows = this.#rows
    const seconds = (performance.now() - this.#answeredAtMs) / 1_000
    const perSecond = formatCount(Math.round(total / Math.max(seconds, 1)))
    const all = rows === undefined ? '' : ` of ${formatCount(rows)}`
    return {
      ...(rows !== undefined && { share: rows === 0 ? 1 : total / rows }),
      text: `${formatCount(total)}${all} rows, ${perSecond} a second, ${formatCount(failed)} failed`,
    }
  }

  #sending(): Status {
    if (this.#isSent) return { text: 'The file is sent; the instance checks it' }
    // A pipe has no size.
    if (this.#bytes === 0) return { text: `${megabytes(this.#sent)} sent` }
    const text = `${megabytes(this.#sent)} of ${megabytes(this.#bytes)} sent`
    return { share: this.#sent / this.#bytes, text }
  }

  async #transfer(api: MillraceClient, source: FileHandle, kept?: FileHandle): Promise<void> {
    const { connector, file, fields, signal, failed } = this.#options
    const path = `/api:1/service/${encodeURIComponent(connector)}/device2/identities`
    const part = {
      name: 'identities',
      fileName: basename(file),
      type: 'text/csv',
      source: this.#pieces(source),
    }
    const options = { accept: 'text/csv', signal, timeoutMs: answerMsMax }
    const response = await uploadForm(api, path, { file: part, fields }, options)
    const rows = response.headers.get('millrace-rows')
    this.#rows = rows === null ? undefined : Number(rows)
    this.#answeredAtMs = performance.now()
    for await (const piece of response.body ?? []) {
      await kept?.write(piece)
      const rows = await this.#answer.read(piece)
      await failed(this.#answer.header, rows)
    }
    const last = await this.#answer.end()
    await failed(this.#answer.header, last)
    const { total } = this.#answer.counts
    if (rows !== null && total !== this.#rows) throw new Error('the answer ended early')
  }

  async *#pieces(source: FileHandle): AsyncGenerator<Uint8Array> {
    for await (const piece of source.createReadStream({ autoClose: false })) {
      this.#sent += (piece as Buffer).length
      yield piece as Buffer
    }
    this.#isSent = true
  }

  /** Says of an import that was cut short which rows are written. */
  #explain(error: unknown): unknown {
    const isRefusal = error instanceof ApiError && error.status !== 0
    if (error instanceof UsageError || isRefusal) return error
    const reason = this.#options.signal.aborted ? 'interrupted' : toReason(error as Error)
    return new Error(`${reason}; ${this.#left()}`)
  }

  #left(): string {
    const { answer, fields } = this.#options
    if (!this.#isSent || fields.dry_run === 'true') return 'nothing was written'
    const { total } = this.#answer.counts
    const of = this.#rows === undefined ? '' : ` of ${formatCount(this.#rows)}`
    const where = answer === undefined ? '' : `, and are in ${draftPath(answer)}`
    return (
      `${formatCount(total)}${of} rows were answered${where}; rows behind them may be written. ` +
      'Send the whole file again: what is written is unchanged.'
    )
  }
}

/** fetch hides in a cause why an answer ended. */
function toReason({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return message
  const { code = cause.message } = cause as NodeJS.ErrnoException
  return `the connection was lost (${code})`
}

/** Beside its place until it is whole, so that it may take the place of the file that is sent. */
const draftPath = (answer: string) => `${answer}.new`

/** @throws UsageError where the draft could not take its place in the end. */
async function openDraft(input: Input, answer: string): Promise<FileHandle> {
  const there = await stat(input.path(answer)).catch(() => undefined)
  if (there?.isDirectory()) throw new UsageError(`--answer: ${answer} is a directory`)
  return input.openFile('answer', draftPath(answer), 'w')
}
