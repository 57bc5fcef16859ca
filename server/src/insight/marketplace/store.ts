import {
  type BusinessRows,
  type Queryable,
  readDependants,
  rowsByIndex,
  rowsWhere,
  type Transaction,
  textArray,
} from '../../foundation/database/index.ts'
import type { Dependants, DocumentProblem } from '../../foundation/kernel/index.ts'
import type { ParameterDeclaration, Visibility } from './schema.ts'
import type { Listing, Operations, SecurityScheme, Use } from './types.ts'

type ListingRow = {
  listing_id: string
  owner: string
  listing_name: string
  visibility: Visibility
  implied: boolean
  definition_url: string | null
  given_base: string | null
  base: string
  version: string
  operations: string
  parameters: string
  security: string
  problems: string
  published_by: string
  published_at: number
}

const listingColumns = `
  l.id as listing_id, l.business_id as owner, l.name as listing_name, l.visibility, l.implied,
  l.definition_url, l.given_base, l.base, l.version, l.operations, l.parameters, l.security,
  l.problems, l.published_by, l.published_at`

function toListing(row: ListingRow): Listing {
  return {
    id: row.listing_id,
    businessId: row.owner,
    name: row.listing_name,
    visibility: row.visibility,
    implied: row.implied,
    definitionUrl: row.definition_url,
    givenBase: row.given_base,
    base: row.base,
    version: row.version,
    operations: JSON.parse(row.operations) as Operations,
    parameters: JSON.parse(row.parameters) as ParameterDeclaration[],
    security: JSON.parse(row.security) as SecurityScheme[],
    problems: JSON.parse(row.problems) as DocumentProblem[],
    publishedBy: row.published_by,
    publishedAt: row.published_at,
  }
}

/** A listing with its definition as it was given; '' if it has none. */
export type ListingWithDefinition = { readonly listing: Listing; readonly definition: string }

/** The values of the columns that a change may replace, in the order of the statements. */
function toValues({ listing, definition }: ListingWithDefinition): unknown[] {
  const { id, businessId, name, visibility, implied, definitionUrl, givenBase, base } = listing
  const { version, operations, parameters, security, problems } = listing
  const words = [id, businessId, name, visibility, implied, definition, definitionUrl]
  const read = [operations, parameters, security, problems].map((part) => JSON.stringify(part))
  return [...words, givenBase, base, version, ...read, listing.publishedBy, listing.publishedAt]
}

/** @returns false if the business has as many listings as it may. */
export async function insertListing(
  transaction: Transaction,
  listing: ListingWithDefinition,
  listingsMax: number,
): Promise<boolean> {
  const text = `
    insert into marketplace_listing (id, business_id, name, visibility, implied, definition,
      definition_url, given_base, base, version, operations, parameters, security, problems,
      published_by, published_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
    where (
      select count(*) from marketplace_listing where business_id = $2 and implied = $5
    ) < $17`
  return (await transaction.run(text, [...toValues(listing), listingsMax])) === 1
}

/** Its uses go on at the other address. @returns false if the business does not own it. */
export async function updateListing(
  transaction: Transaction,
  listing: ListingWithDefinition,
): Promise<boolean> {
  const text = `
    update marketplace_listing set name = $3, visibility = $4, implied = $5, definition = $6,
      definition_url = $7, given_base = $8, base = $9, version = $10, operations = $11,
      parameters = $12, security = $13, problems = $14, published_by = $15, published_at = $16
    where business_id = $2 and id = $1`
  return (await transaction.run(text, toValues(listing))) === 1
}

/** The listings of a business and those that are public, oldest first. */
export async function readListings(
  queryable: Queryable,
  businessId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Listing[]> {
  const text = `
    select ${listingColumns} from marketplace_listing l
    where l.business_id = $1 or l.visibility = 'public'
    order by l.number limit $2 offset $3`
  return (await queryable.rows<ListingRow>(text, [businessId, limit, offset])).map(toListing)
}

/** A listing that a business may use. */
export async function readListing(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<ListingWithDefinition | undefined> {
  const text = `
    select ${listingColumns}, l.definition from marketplace_listing l
    where l.id = $2 and (l.business_id = $1 or l.visibility = 'public')`
  type Row = ListingRow & { definition: string }
  const row = await queryable.one<Row>(text, [businessId, id])
  return row && { listing: toListing(row), definition: row.definition }
}

/** @returns false if it is used, or is not the business's. */
export async function deleteListing(
  transaction: Transaction,
  businessId: string,
  id: string,
): Promise<boolean> {
  const text = `
    delete from marketplace_listing
    where business_id = $1 and id = $2
      and not exists (select 1 from marketplace_use where listing_id = $2)`
  return (await transaction.run(text, [businessId, id])) === 1
}

/** Counts the uses of a listing, of its owner and of others. */
export async function countUses(
  queryable: Queryable,
  businessId: string,
  listingId: string,
): Promise<{ own: number; others: number }> {
  const text = `
    select count(*) filter (where business_id = $1) as own,
      count(*) filter (where business_id <> $1) as others
    from marketplace_use where listing_id = $2`
  type Row = { own: number; others: number }
  return (await queryable.one<Row>(text, [businessId, listingId])) ?? { own: 0, others: 0 }
}

/** Deletes a listing that was made with its first use, if that was its last. */
export async function deleteImplied(transaction: Transaction, id: string): Promise<void> {
  const text = `
    delete from marketplace_listing
    where id = $1 and implied
      and not exists (select 1 from marketplace_use where listing_id = $1)`
  await transaction.run(text, [id])
}

type UseRow = ListingRow & {
  business_id: string
  id: string
  name: string
  sealed: string
  secrets_base: string | null
  simulation_safe: boolean
  created_at: number
}

const useColumns = `
  u.business_id, u.id, u.name, u.parameters as sealed, u.secrets_base, u.simulation_safe,
  u.created_at,
  ${listingColumns}`
const joined = 'marketplace_use u join marketplace_listing l on l.id = u.listing_id'

function toUse(row: UseRow): Use {
  const { business_id: businessId, id, name, sealed, created_at: createdAt } = row
  const { secrets_base: secretsBase, simulation_safe: simulationSafe } = row
  const own = { id, businessId, name, sealed, secretsBase, simulationSafe, createdAt }
  return Object.assign(own, { listing: toListing(row) })
}

/** @returns false if the business uses as many modules as it may. */
export async function insertUse(
  transaction: Transaction,
  { businessId, id, listing, name, sealed, simulationSafe, createdAt }: Use,
  usesMax: number,
): Promise<boolean> {
  const text = `
    insert into marketplace_use (business_id, id, listing_id, name, parameters, simulation_safe,
      created_at)
    select $1, $2, $3, $4, $5, $6, $7
    where (select count(*) from marketplace_use where business_id = $1) < $8`
  const values = [businessId, id, listing.id, name, sealed, simulationSafe, createdAt, usesMax]
  return (await transaction.run(text, values)) === 1
}

/** The uses of a business, in the order in which they were added. */
export async function readUses(queryable: Queryable, businessId: string): Promise<Use[]> {
  const text = `select ${useColumns} from ${joined} where u.business_id = $1 order by u.number`
  return (await queryable.rows<UseRow>(text, [businessId])).map(toUse)
}

/** Reads those of these uses that are there. */
export async function readUsesById(
  queryable: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<Use[]> {
  const text = `
    select ${useColumns} from ${joined}
    where u.business_id = $1 and u.id = any ($2::text[])`
  return (await queryable.rows<UseRow>(text, [businessId, textArray(ids)])).map(toUse)
}

/** @returns the listing that it used; undefined if there is no such use. */
export async function deleteUse(
  transaction: Transaction,
  businessId: string,
  id: string,
): Promise<string | undefined> {
  const text = `
    delete from marketplace_use where business_id = $1 and id = $2 returning listing_id`
  const row = await transaction.one<{ listing_id: string }>(text, [businessId, id])
  return row?.listing_id
}

/** Replaces what a business sets of a use. @returns false if it is gone. */
export async function updateUse(
  transaction: Transaction,
  { businessId, id, name, sealed, simulationSafe }: Use,
): Promise<boolean> {
  const text = `
    update marketplace_use set name = $3, parameters = $4, simulation_safe = $5
    where business_id = $1 and id = $2`
  return (await transaction.run(text, [businessId, id, name, sealed, simulationSafe])) === 1
}

/**
 * Listings of a business. A listing that others use stays for these, is offered to nobody, and goes
 * with its last use.
 */
export const listingRows: BusinessRows = async function* (queryable, businessId) {
  yield* rowsByIndex('marketplace_use')(queryable, businessId)
  const unused = 'not exists (select 1 from marketplace_use u where u.listing_id = d.id)'
  yield* rowsWhere(queryable, 'marketplace_listing', `business_id = $1 and ${unused}`, businessId)
  const text = `
    update marketplace_listing set business_id = '', visibility = 'private', implied = true,
      published_by = ''
    where business_id = $1`
  yield await queryable.run(text, [businessId])
}

/** Modules and listings of a business. */
export function marketDependants(queryable: Queryable, businessId: string): Promise<Dependants[]> {
  const listings = 'marketplace_listing where business_id = $1 and not implied'
  return readDependants(queryable, { effect: 'deleted', values: [businessId] }, [
    { kind: 'modules', from: 'marketplace_use where business_id = $1', name: 'name' },
    { kind: 'listings', from: listings, name: 'name' },
  ])
}

/** Own uses by their names, those of others by their number. */
export function listingUses(
  queryable: Queryable,
  businessId: string,
  listingId: string,
): Promise<Dependants[]> {
  const from = 'marketplace_use where listing_id = $2'
  const name = "case when business_id = $1 then name else 'of another business' end"
  const asked = { effect: 'blocks', values: [businessId, listingId] } as const
  return readDependants(queryable, asked, [{ kind: 'modules', from, name }])
}
