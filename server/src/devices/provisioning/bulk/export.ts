import { limits } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Connector } from '../connectors/connector.ts'
import { makeFilters } from '../identities/records.ts'
import type { FilterInput } from '../identities/schemas.ts'
import type { ProvisioningOptions } from '../options.ts'
import type { IdentityRow } from '../store/identities.ts'
import { listByName } from '../store/list.ts'
import { csvLine, textCell } from './csv.ts'

/** An import reads `ID` and `Tags`, and ignores the others. The digest of certificates is kept. */
const columns = ['ID', 'Tags', 'State', 'Last Seen', 'Last Address'] as const

/**
 * Writes the identities that the filters select as CSV, the header first: a page at a time, in the
 * order of their names, which no device changes meanwhile. An import of the file changes nothing.
 * @throws Fault `invalid_argument`, before the first piece.
 */
export async function* exportIdentities(
  { database, clock }: ProvisioningOptions,
  place: { readonly connector: Connector; readonly view: View },
  filter: FilterInput,
): AsyncGenerator<string> {
  const filters = await makeFilters(database, place, clock.nowUs(), filter)
  yield csvLine(columns)
  for (let after = ''; ; ) {
    const page = { after, rowsMax: limits.pageMax }
    const rows = await listByName(database, place.connector.id, clock.nowUs(), filters, page)
    if (rows.length > 0) yield rows.map((row) => csvLine(toCells(row))).join('')
    if (rows.length < limits.pageMax) return
    after = rows.at(-1)?.identity ?? ''
  }
}

function toCells({ identity, tags, status, lastseen, lastip }: IdentityRow): string[] {
  const seen = lastseen === null ? '' : new Date(lastseen / usPerMs).toISOString()
  const named = tags.length === 0 ? '' : JSON.stringify(tags)
  return [textCell(identity), named, status, seen, lastip ?? '']
}

const usPerMs = 1_000
