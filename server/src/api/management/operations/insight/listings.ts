import { PageSize, StrictObject, Type } from '../../../../foundation/kernel/index.ts'
import {
  createListingChangeSchema,
  createNewListingSchema,
  listingSchema,
  wholeListingSchema,
} from '../../../../insight/marketplace/index.ts'
import { does, lists, makes, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const exampleListing = {
  id: 'm4x8q2',
  own: true,
  name: 'Forecasts',
  visibility: 'private',
  version: '1.0.0',
  base: 'https://insight.example.com/v1',
  givenBase: null,
  definitionUrl: 'https://insight.example.com/api-docs',
  parameters: [
    { name: 'token', description: 'API key', type: 'string', secret: true, required: true },
  ],
  problems: [],
  publishedBy: 'user:k3v9x1',
  publishedAt: 1_767_225_600_000_000,
}

const refuses = ['definition_refused', 'module_failed', 'address_refused'] as const

const on = operations('modules', 'Setup', '/api:1/listings', {
  isNamed: true,
  params: { listing: Type.String({ description: 'The id of a listing.', pattern: '^[a-z0-9]+$' }) },
})

export const listListings = on.get(
  '',
  'List the listings of the business and the public ones, oldest first.',
  () => ({
    query: StrictObject({
      limit: PageSize(),
      offset: Type.Optional(
        Type.Integer({ description: 'Listings to leave out.', minimum: 0, maximum: 1_000_000 }),
      ),
    }),
    ...lists('listings', listingSchema, 'The listings.'),
  }),
  ({ marketplace: { listings } }, { businessId, query }) => listings.list(businessId, query),
)

export const publishListing = on.post(
  '',
  'Publish an insight module by its definition, an OpenAPI file.',
  () => ({
    description:
      'It needs `definition` or `definitionUrl`. Everything that breaks the rules is named.',
    body: createNewListingSchema(),
    ...makes('The listing.', listingSchema),
    refuses: [...refuses],
    example: {
      request: { definitionUrl: 'https://insight.example.com/api-docs' },
      answer: exampleListing,
    },
  }),
  ({ marketplace: { listings } }, { businessId, subject, body }) =>
    listings.publish(businessId, { ...body, by: subject }),
)

export const getListing = on.get(
  '/:listing',
  'Read a listing with its definition.',
  () => shows('The listing.', wholeListingSchema),
  ({ marketplace: { listings } }, { businessId, params }) =>
    listings.get(businessId, params.listing),
)

export const changeListing = on.patch(
  '/:listing',
  'Change a listing; the modules that use it, and their links, go on with it.',
  () => ({
    body: createListingChangeSchema(),
    ...shows('The listing.', listingSchema),
    refuses: [...refuses],
    example: { request: { base: 'https://insight.example.org/v1' }, answer: exampleListing },
  }),
  ({ marketplace: { listings } }, { businessId, subject, params, body }) =>
    listings.change(businessId, params.listing, { ...body, by: subject }),
)

export const removeListing = on.remove(
  '/:listing',
  'Remove a listing that no module uses.',
  () => ({ ...does('It is removed.'), refuses: ['in_use'] }),
  ({ marketplace: { listings } }, { businessId, params }) =>
    listings.remove(businessId, params.listing),
)
