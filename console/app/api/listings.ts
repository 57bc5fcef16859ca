import type { components } from '@millrace/client'
import { find, get, patch, post, remove } from './endpoint.ts'

type Schemas = components['schemas']

/** An insight module as its owner published it. */
export type Listing = Schemas['InsightListing']

export type ListingDetails = Schemas['InsightListingWithDefinition']

export type NewListing = Schemas['NewInsightListing']

export type ListingChange = Schemas['InsightListingChange']

const path = '/api:1/listings/{listing}'

/** Finds the listings of the business and the public ones, oldest first. */
export const listListings = find('/api:1/listings', 'listings')

export const readListing = get(path)

/** @throws ApiError `definition_refused` with every problem of the definition */
export const publishListing = post('/api:1/listings')

/** @throws ApiError as `publishListing` */
export const changeListing = patch(path)

/** @throws ApiError `in_use` while modules use it */
export const removeListing = remove(path)
