import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from '../../src/database/index.ts'

const migration = '0040_hosts.sql'
const folder = join(import.meta.dirname, '..', '..', 'src', 'database', 'migrations')

/** Frees a label by hand, so that a second thing of the same id can be made, as it once could. */
export function freeLabel(database: Database, label: string): Promise<number> {
  return database.run('delete from hosts_label where label = $1', [label])
}

/** Takes the tables back to a version before the registry of hosts. */
export async function revertHosts(databaseUrl: string): Promise<void> {
  await inOneGo(
    databaseUrl,
    `drop table hosts_label; drop table hosts_clash;
     delete from database_migration where name = '${migration}'`,
  )
}

/** Brings the registry of hosts up once more, from the connectors and solutions that are there. */
export async function migrateHosts(databaseUrl: string): Promise<void> {
  await revertHosts(databaseUrl)
  await inOneGo(
    databaseUrl,
    `${await readFile(join(folder, migration), 'utf8')};
     insert into database_migration (name, at) values ('${migration}', now())`,
  )
}

async function inOneGo(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(text).finally(() => client.end())
}
