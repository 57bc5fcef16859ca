import { type components, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

type Schemas = components['schemas']

/** An insight module as its owner published it. */
export type Listing = Schemas['InsightListing']

export type ListingDetails = Schemas['InsightListingWithDefinition']

export type NewListing = Schemas['NewInsightListing']

export type ListingChange = Schemas['InsightListingChange']

const path = '/api:1/listings/{listing}'

const of = (listing: string) => ({ params: { path: { listing } } })

/** Those of the business and the public ones, oldest first. */
export async function listListings(
  client: Client,
  page: { readonly limit: number; readonly offset: number },
  signal: AbortSignal | null = null,
): Promise<Listing[]> {
  const { listings } = await unwrap(
    client.GET('/api:1/listings', { params: { query: page }, signal }),
  )
  return listings
}

export function readListing(
  client: Client,
  listing: string,
  signal: AbortSignal | null = null,
): Promise<ListingDetails> {
  return unwrap(client.GET(path, { ...of(listing), signal }))
}

/** @throws ApiError `definition_refused` with every problem of the definition */
export function publishListing(client: Client, body: NewListing): Promise<Listing> {
  return unwrap(client.POST('/api:1/listings', { body }))
}

/** @throws ApiError as `publishListing` */
export function changeListing(
  client: Client,
  listing: string,
  body: ListingChange,
): Promise<Listing> {
  return unwrap(client.PATCH(path, { ...of(listing), body }))
}

/** @throws ApiError `in_use` while modules use it */
export function removeListing(client: Client, listing: string): Promise<unknown> {
  return unwrap(client.DELETE(path, of(listing)))
}
