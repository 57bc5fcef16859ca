import { type Database, openDatabase } from '../../src/database/index.ts'
import { createLogger } from '../../src/kernel/index.ts'
import type { Platform } from '../../src/main.ts'

/** Frees a label by hand, so that a second thing of the same id can be made, as it once could. */
export function freeLabel(database: Database, label: string): Promise<number> {
  return database.run('delete from hosts_label where label = $1', [label])
}

/** Brings the registry of hosts up once more, from the connectors and solutions that are there. */
export async function migrateHosts({ config, database }: Platform): Promise<void> {
  await database.run('drop table hosts_label')
  await database.run('drop table hosts_clash')
  await database.run("delete from database_migration where name = '0040_hosts.sql'")
  const row = await database.one<{ name: string }>('select current_database() as name')
  const again = await openDatabase({
    ...{ url: config.databaseUrl, dataDir: config.dataDir, name: row?.name ?? '' },
    ...{ owner: false, logger: createLogger('silent') },
  })
  await again.close()
}
