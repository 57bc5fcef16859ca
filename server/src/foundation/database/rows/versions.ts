import { isDeepStrictEqual } from 'node:util'
import { checkedPage, Fault, type PageRange, type VersionFacts } from '../../kernel/index.ts'
import type { Queryable } from '../statement.ts'

/** A document as it was saved, counted from 1. */
export type Version<Document> = VersionFacts & { readonly document: Document }

/** A version with what it changed in another one; null if that is not kept any more. */
export type ComparedVersion<Document, Difference> = Version<Document> & {
  readonly difference: Difference | null
}

/** A version, and the one with which it is compared; the one before if that is left out. */
export type VersionNumber = {
  readonly version: number
  readonly since?: number | null | undefined
}

/** The result of saving a document. */
export type SavedDocument<Document> = {
  /** The number of the newest version; 0 if there is none yet. */
  readonly newest: number
  readonly before: Document
  readonly after: Document
  readonly by: string | null
  /** Microseconds. */
  readonly at: number
}

export type VersionsOptions<Document, Difference> = {
  /** With the columns `business_id version document saved_by saved_at`, and that of the owner. */
  readonly table: string
  /** The column with the id of what the documents are of. */
  readonly owner: string
  readonly parse: (text: string) => Document
  /** The document before the first version. */
  readonly empty: Document
  readonly findDifference: (before: Document, after: Document) => Difference
  /** The number of versions of one owner that are kept. */
  readonly most: () => number
}

type Row = { version: number; document: string; saved_by: string | null; saved_at: number }

const columns = 'version, document, saved_by, saved_at'

/** The versions of documents in a table of a module, of which the newest are kept. */
export class Versions<Document, Difference> {
  readonly #options: VersionsOptions<Document, Difference>
  /** The rows of one owner. */
  readonly #from: string

  constructor(options: VersionsOptions<Document, Difference>) {
    this.#options = options
    this.#from = `from ${options.table} where business_id = $1 and ${options.owner} = $2`
  }

  async newest(
    queryable: Queryable,
    businessId: string,
    ownerId: string,
  ): Promise<Version<Document> | undefined> {
    const [newest] = await this.#page(queryable, businessId, ownerId, { limit: 1, offset: 0 })
    return newest
  }

  /** @throws Fault `not_found` */
  async get(
    queryable: Queryable,
    businessId: string,
    ownerId: string,
    version: number,
  ): Promise<Version<Document>> {
    const found = await this.#find(queryable, businessId, ownerId, version)
    if (found === undefined) throw new Fault('not_found', `There is no version ${version}.`)
    return found
  }

  /** Newest first, each with what it changed in the one before. @throws Fault invalid_argument */
  async list(
    queryable: Queryable,
    businessId: string,
    ownerId: string,
    page?: PageRange,
  ): Promise<ComparedVersion<Document, Difference>[]> {
    const { limit, offset } = checkedPage(page)
    const found = await this.#page(queryable, businessId, ownerId, { limit: limit + 1, offset })
    return found.slice(0, limit).map((one, at) => this.#compared(one, found[at + 1]?.document))
  }

  /**
   * A version with what it changed in another.
   * @throws Fault `not_found` for either
   */
  async compare(
    queryable: Queryable,
    businessId: string,
    ownerId: string,
    { version, since }: VersionNumber,
  ): Promise<ComparedVersion<Document, Difference>> {
    const found = await this.get(queryable, businessId, ownerId, version)
    if (since == null) {
      const before = await this.#find(queryable, businessId, ownerId, version - 1)
      return this.#compared(found, before?.document)
    }
    const { document } = await this.get(queryable, businessId, ownerId, since)
    return { ...found, difference: this.#options.findDifference(document, found.document) }
  }

  /**
   * Adds a version, unless the document stays as it was, and drops those past the number that is
   * kept. A document from before there were versions becomes the first one: the first change must
   * lead back to it, too.
   */
  async save(
    queryable: Queryable,
    businessId: string,
    ownerId: string,
    { newest, before, after, by, at }: SavedDocument<Document>,
  ): Promise<void> {
    const isFirst = newest === 0 && !isDeepStrictEqual(before, this.#options.empty)
    const add = (document: Document, version: number, savedBy: string | null) =>
      this.#add(queryable, businessId, ownerId, { document, version, savedBy, savedAt: at })
    if (isFirst) await add(before, 1, null)
    if (isDeepStrictEqual(before, after)) return
    await add(after, newest + (isFirst ? 2 : 1), by)
  }

  /** Removes all versions of one owner. */
  async drop(queryable: Queryable, businessId: string, ownerId: string): Promise<void> {
    await queryable.run(`delete ${this.#from}`, [businessId, ownerId])
  }

  #compared(
    one: Version<Document>,
    before: Document | undefined,
  ): ComparedVersion<Document, Difference> {
    const { empty, findDifference } = this.#options
    const other = one.version === 1 ? empty : before
    return { ...one, difference: other === undefined ? null : findDifference(other, one.document) }
  }

  async #page(
    queryable: Queryable,
    businessId: string,
    ownerId: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Version<Document>[]> {
    const text = `select ${columns} ${this.#from} order by version desc limit $3 offset $4`
    const rows = await queryable.rows<Row>(text, [businessId, ownerId, limit, offset])
    return rows.map((row) => this.#toVersion(row))
  }

  async #find(queryable: Queryable, businessId: string, ownerId: string, version: number) {
    if (!Number.isSafeInteger(version)) return undefined
    // A number past the type of the column is none of its versions.
    const text = `select ${columns} ${this.#from} and version = $3::bigint`
    const row = await queryable.one<Row>(text, [businessId, ownerId, version])
    return row === undefined ? undefined : this.#toVersion(row)
  }

  async #add(queryable: Queryable, businessId: string, ownerId: string, added: Version<Document>) {
    const { table, owner, most } = this.#options
    const { version, document, savedBy, savedAt } = added
    const text = `
      insert into ${table} (business_id, ${owner}, version, document, saved_by, saved_at)
      values ($1, $2, $3, $4, $5, $6)`
    const json = JSON.stringify(document)
    await queryable.run(text, [businessId, ownerId, version, json, savedBy, savedAt])
    const old = `delete ${this.#from} and version <= $3`
    await queryable.run(old, [businessId, ownerId, version - most()])
  }

  #toVersion(row: Row): Version<Document> {
    return {
      version: row.version,
      document: this.#options.parse(row.document),
      savedBy: row.saved_by,
      savedAt: row.saved_at,
    }
  }
}
