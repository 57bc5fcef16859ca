import { parseCsv } from '../files.ts'

/** The result of a file: how many rows of each, and those that failed. */
export type ImportResult = {
  readonly counts: Readonly<Record<'added' | 'changed' | 'unchanged' | 'failed', number>>
  readonly failed: readonly {
    /** The line of the file, the header being the first. */
    readonly line: number
    readonly id: string
    readonly message: string
  }[]
}

/** Reads the answer to a file: its rows with the columns `status`, `code` and `message`. */
export function parseResult(answer: string): ImportResult {
  const [head = [], ...rows] = parseCsv(answer)
  const id = Math.max(
    0,
    head.findIndex((name) => name.trim().toLowerCase() === 'id'),
  )
  const [status, message] = [head.length - 3, head.length - 1]
  const count = (wanted: string) => rows.filter((row) => row[status] === wanted).length
  return {
    counts: {
      added: count('added'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      failed: count('failed'),
    },
    failed: rows.flatMap((row, index) =>
      row[status] === 'failed'
        ? [{ line: index + 2, id: row[id] ?? '', message: row[message] ?? '' }]
        : [],
    ),
  }
}
