import { Fault } from '../kernel/index.ts'
import type { BoundedClient } from './bounded-client.ts'

/** Settings of PostgreSQL without which a COMMIT that was answered may be lost. */
const needed = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Refuses a server that answers a COMMIT before it is on the disk: an acknowledgement to a device
 * would promise what a power cut undoes.
 * @throws Fault database_not_durable that names the settings and where they are set.
 */
export async function checkDurable(client: BoundedClient): Promise<void> {
  const { rows } = await client.query<{ name: string; source: string }>(
    `select name, source from pg_settings where name = any($1) and setting = 'off' order by name`,
    [needed],
  )
  if (rows.length === 0) return
  const named = rows.map(({ name, source }) => `${name} is off (set by: ${source})`).join(', ')
  throw new Fault(
    'database_not_durable',
    `The database loses what it acknowledged if the power fails: ${named}. Set it to on.`,
  )
}
