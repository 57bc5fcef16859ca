import { int8Array, type Queryable, readBlocks } from '../../../foundation/database/index.ts'

// A blank entry keeps its place, number, time and kind: the ledger counts it.
const blankEntries = `
update eventlog_entry e set business_id = '', connector_id = '', identity = '', body = '{}'
where e.business_id = $1 and e.ctid >= $2::tid and e.ctid < $3::tid
  and e.seq <= (
    select p.seq from unnest($4::bigint[], $5::bigint[]) as p (part, seq) where p.part = e.part)`

/**
 * Blanks the entries of a business up to these numbers of partitions: its name, its devices and
 * what they sent. Yields the number of entries of each step.
 */
export async function* blankBusiness(
  queryable: Queryable,
  businessId: string,
  passed: ReadonlyMap<number, number>,
): AsyncGenerator<number> {
  const upTo = [int8Array([...passed.keys()]), int8Array([...passed.values()])]
  for await (const range of readBlocks(queryable, 'eventlog_entry')) {
    yield await queryable.run(blankEntries, [businessId, ...range, ...upTo])
  }
}

const blankFailures = `
update eventlog_failure set business_id = '', connector_id = '', identity = '', reason = ''
where business_id = $1`

/** Blanks what consumers could not deal with: the ledger counts it. */
export function blankFailed(queryable: Queryable, businessId: string): Promise<number> {
  return queryable.run(blankFailures, [businessId])
}
