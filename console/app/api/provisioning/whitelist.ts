import { fillPath, readPieces, uploadForm } from '@millrace/client'
import type { Client } from '../client.ts'

type Wanted = {
  readonly file: File
  /** Everything is checked, and nothing is written. */
  readonly isTrial: boolean
  /** Called with the number of rows that were answered. */
  readonly onRows: (rows: number) => void
  readonly signal: AbortSignal
}

const path = '/api:1/service/{connector}/device2/identities'

/** Whitelists the identities of a CSV file: the same rows, each with its result, as CSV. */
export async function importIdentities(
  client: Client,
  connector: string,
  { file, isTrial, onRows, signal }: Wanted,
): Promise<string> {
  const response = await uploadForm(
    client,
    fillPath(path, { path: { connector } }),
    {
      fields: isTrial ? { dry_run: 'true' } : {},
      file: { name: 'identities', fileName: file.name, type: 'text/csv', source: file },
    },
    { accept: 'text/csv', signal, timeoutMs: 0 },
  )
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let rows = 0
  for await (const piece of readPieces(response.body, 0)) {
    const more = decoder.decode(piece, { stream: true })
    rows += more.split('\n').length - 1
    text += more
    onRows(rows)
  }
  return text
}
