import { csvInvalid, csvLine, refuseSeparator } from './csv.ts'

/** The outcome of each row in the answer, in columns behind those of the file. */
export const answerColumns = ['status', 'code', 'message'] as const

/** The positions of the columns of a file, which may stand in any order. */
export type Header = {
  /** The names as the file writes them. */
  readonly names: readonly string[]
  readonly id: number
  readonly certificate: number | undefined
  readonly tags: number | undefined
  /** The columns that the answer repeats: all but those of an answer that is sent again. */
  readonly kept: readonly number[]
}

/**
 * The first row of a file: `ID`, and maybe `TLS Client Certificate` and `Tags`, in any case of
 * letters. Other columns are kept in the answer, and not looked at.
 * @throws Fault `csv_invalid`.
 */
export function parseHeader(names: readonly string[]): Header {
  refuseSeparator(names)
  const known = names.map((name) => name.trim().toLowerCase())
  const id = findColumn(known, 'id')
  if (id === undefined) throw csvInvalid('line 1: it is not a header with the column ID')
  const answered: readonly string[] = answerColumns
  return {
    names,
    id,
    certificate: findColumn(known, 'tls client certificate'),
    tags: findColumn(known, 'tags'),
    kept: [...names.keys()].filter((at) => !answered.includes(known[at] ?? '')),
  }
}

function findColumn(known: readonly string[], name: string): number | undefined {
  const at = known.indexOf(name)
  if (at !== known.lastIndexOf(name)) throw csvInvalid(`line 1: it has the column ${name} twice`)
  return at < 0 ? undefined : at
}

export function answerHeader({ names, kept }: Header): string {
  return csvLine([...kept.map((at) => names[at] ?? ''), ...answerColumns])
}
