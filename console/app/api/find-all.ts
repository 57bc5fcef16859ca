import type { paths } from '@millrace/client'
import type { Client } from './client.ts'
import { find, type PathOf, type Result } from './endpoint.ts'

type Page = (client: Client, query: object, signal: AbortSignal | null) => Promise<unknown[]>

const pageSize = 500

/** Reads all pages of a list: `(client, signal)`. */
export function findAll<Path extends PathOf<'get'>, Field extends string>(
  path: Path,
  field: Field,
) {
  const page = find(path, field) as unknown as Page
  type Found = Awaited<Result<paths[Path]['get'], Field>>
  return async (client: Client, signal: AbortSignal | null = null): Promise<Found> => {
    const all: unknown[] = []
    for (;;) {
      const found = await page(client, { limit: pageSize, offset: all.length }, signal)
      all.push(...found)
      if (found.length < pageSize) return all as Found
    }
  }
}
