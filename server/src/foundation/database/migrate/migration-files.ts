import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../migrations')

/** The last file of the baseline; files after it were added since. */
const lastOfBaseline = '0232_graphql.sql'

export type Migration = {
  /** The file's name, NNNN_module.sql. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, in hexadecimal. */
  readonly checksum: string
  /**
   * True if processes of the version before go on while and after it runs: it only adds what they
   * do not need to know. Its first line is `-- beside: yes` then.
   */
  readonly beside: boolean
}

/** Reads this version's files, in the order of their names. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name, sql, checksum, beside: /^-- beside: yes$/m.exec(sql)?.index === 0 }
    }),
  )
}

/** Returns the files that make the tables which the replaced migrations made. */
export function selectBaseline(migrations: readonly Migration[]): Migration[] {
  return migrations.filter(({ name }) => name <= lastOfBaseline)
}

/**
 * Reads the migrations that the baseline replaced: their checksums by name, in the order of names.
 * Their SQL is no longer here.
 */
export async function readReplaced(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(import.meta.dirname, 'replaced.sha256'), 'utf8')
  const lines = text.trimEnd().split('\n')
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

/** Returns the tables that hold rows once the files have run. */
export async function tablesFilledByMigrations(): Promise<ReadonlySet<string>> {
  const inserted = (await readMigrations()).flatMap(({ sql }) =>
    [...sql.matchAll(/\binsert into (\w+)/g)].map(([, table = '']) => table),
  )
  return new Set(inserted)
}
