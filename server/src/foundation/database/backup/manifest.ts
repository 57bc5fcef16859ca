import { createParser, type Static, StrictObject, Type } from '../../kernel/index.ts'
import { databaseLimits } from '../limits.ts'

/** The lists at the begin and the end of a backup. */
const backupListBytesMax = 512 * 1024 * 1024

/** The first entry of a backup. */
export const manifestName = 'manifest.json'
/** The last entry: a backup without it was cut off. */
export const endName = 'end.json'
/** The folder of the keys, if the backup has them. */
export const keysFolder = 'keys'

/** A name of ours: it is put into statements. */
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$', rule: 'must be the name of a table' })
const Digits = Type.String({ pattern: '^-?[0-9]{1,19}$', rule: 'must be a whole number' })
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', rule: 'must be a SHA-256' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const Partition = StrictObject({ name: Name, from: Digits, to: Digits })

const Table = StrictObject({
  name: Name,
  columns: Type.Array(Name, { minItems: 1, maxItems: 500 }),
  /** Columns that the database numbers, with the last number. */
  numbered: Type.Array(StrictObject({ column: Name, last: Digits }), { maxItems: 500 }),
  /** The ranges of a partitioned table, but for the default one. */
  partitions: Type.Array(Partition, { maxItems: 100_000 }),
})

const Manifest = StrictObject({
  format: Type.Literal(1),
  /** ISO 8601. */
  createdAt: Type.String({ maxLength: 40 }),
  /** The version of PostgreSQL. */
  server: Type.String({ maxLength: 200 }),
  /** The migrations that made the tables, with their checksums. */
  migrations: Type.Array(
    StrictObject({ name: Type.String({ maxLength: 200 }), checksum: Sha256 }),
    { maxItems: 100_000 },
  ),
  /** Each after those that it refers to. */
  tables: Type.Array(Table, { maxItems: 10_000 }),
})

const End = StrictObject({
  rows: Count,
  parts: Type.Array(StrictObject({ name: Type.String({ maxLength: 100 }), sha256: Sha256 }), {
    maxItems: 10_000_000,
  }),
})

/** The contents of a backup, in the order of its entries. */
export type Manifest = Static<typeof Manifest>
export type TableShape = Static<typeof Table>
export type End = Static<typeof End>
export type Part = End['parts'][number]

const wording = {
  objectRule: 'must be an object',
  firstIndex: 0 as const,
  unknownField: (field: string, place: string) => `${place} has no field ${JSON.stringify(field)}`,
}

/** @throws Fault invalid_argument */
export const parseManifest = createParser(Manifest, { name: manifestName, ...wording })
/** @throws Fault invalid_argument */
export const parseEnd = createParser(End, { name: endName, ...wording })

/** The entry of a part of a table's rows: COPY's text, compressed with zstd. */
export function partName(table: string, number: number): string {
  return `${table}/${String(number).padStart(8, '0')}.copy.zst`
}

/** The size up to which an entry is read into memory. */
export function entryBytesMax(name: string): number {
  return name.endsWith('.zst') ? 2 * databaseLimits.backupPartBytes : backupListBytesMax
}
