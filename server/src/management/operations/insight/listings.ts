import {
  component,
  limits,
  Microseconds,
  Nullable,
  type Static,
  StrictObject,
  Text,
  Type,
} from '../../../kernel/index.ts'
import type { Listing } from '../../../marketplace/index.ts'
import { does, lists, makes, PageSize, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

/** One thing that breaks the rules of definitions. */
export const problem = StrictObject({
  pointer: Type.String({ description: 'Where, as a JSON pointer.' }),
  detail: Type.String(),
})

const visibility = Type.Enum(['private', 'public'], {
  description: 'Who may use it: the business that owns it, or every business of the instance.',
})

/** A configuration parameter as a definition declares it. */
export const declarationFields = {
  name: Type.String(),
  description: Type.String(),
  type: Type.Enum(['string', 'number', 'integer', 'boolean']),
  secret: Type.Boolean({ description: 'Its value is never shown.' }),
  required: Type.Boolean(),
} as const

const listingFields = {
  id: Type.String(),
  own: Type.Boolean({ description: 'The business owns it, and may change it.' }),
  name: Type.String(),
  visibility,
  version: Type.String({ description: 'Of its definition; empty if it has none.' }),
  base: Type.String({ description: 'Where the module is served, with its base path.' }),
  givenBase: Nullable(Type.String(), {
    description: 'What was given beside the definition; null: its host counts.',
  }),
  definitionUrl: Nullable(Type.String(), {
    description: 'Where its definition was read; null: it was sent, or there is none.',
  }),
  parameters: Type.Array(component('ModuleParameterDeclaration', declarationFields)),
  problems: Type.Array(problem, {
    description: 'What breaks the rules of definitions; only a private listing may have any.',
  }),
  publishedBy: Nullable(Type.String(), {
    description: 'A user or an API token; null: unknown, or of another business.',
  }),
  publishedAt: Microseconds(),
} as const

const listingSchema = component('InsightListing', listingFields, {
  description: 'An insight module as its owner published it.',
})

const wholeListing = component('InsightListingWithDefinition', {
  ...listingFields,
  definition: Type.String({ description: 'As it was given; empty if there is none.' }),
})

const definitionField = () =>
  Type.Optional(
    Type.String({
      description: `An OpenAPI 2.0 file, JSON or YAML; ${limits.definitionBytesMax} bytes at most.`,
    }),
  )
const urlField = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: limits.settingCharsMax }))
const nameField = () =>
  Type.Optional(
    Text({ description: 'The title of the file if left out.', maxLength: limits.nameCharsMax }),
  )
const tolerantField = Type.Optional(
  Type.Boolean({ description: 'Keep what breaks the rules; the listing stays private.' }),
)

const exampleListing: Static<typeof listingSchema> = {
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
      limit: PageSize(limits.pageMax),
      offset: Type.Optional(
        Type.Integer({ description: 'Listings to leave out.', minimum: 0, maximum: 1_000_000 }),
      ),
    }),
    ...lists('listings', listingSchema, 'The listings.'),
  }),
  async ({ marketplace: { listings } }, { businessId, query }) => {
    const found = await listings.list(businessId, query)
    return { listings: found.map((listing) => shownListing(businessId, listing)) }
  },
)

export const publishListing = on.post(
  '',
  'Publish an insight module by its definition, an OpenAPI file.',
  () => ({
    description:
      'It needs `definition` or `definitionUrl`. Everything that breaks the rules is named.',
    body: component('NewInsightListing', {
      name: nameField(),
      definition: definitionField(),
      definitionUrl: urlField('Where such a file is, at any path.'),
      base: urlField('Where the module is served, if its file does not say so.'),
      visibility: Type.Optional(visibility),
      tolerant: tolerantField,
    }),
    ...makes('The listing.', listingSchema),
    refuses: [...refuses],
    example: {
      request: { definitionUrl: 'https://insight.example.com/api-docs' },
      answer: exampleListing,
    },
  }),
  async ({ marketplace: { listings } }, { businessId, subject, body }) => {
    const { listing } = await listings.publish(businessId, { ...body, by: subject })
    return shownListing(businessId, listing)
  },
)

export const getListing = on.get(
  '/:listing',
  'Read a listing with its definition.',
  () => shows('The listing.', wholeListing),
  async ({ marketplace: { listings } }, { businessId, params }) => {
    const { listing, definition } = await listings.get(businessId, params.listing)
    return { ...shownListing(businessId, listing), definition }
  },
)

export const changeListing = on.patch(
  '/:listing',
  'Change a listing; the modules that use it, and their links, go on with it.',
  () => ({
    body: component('InsightListingChange', {
      name: nameField(),
      definition: definitionField(),
      definitionUrl: urlField('Where such a file is, at any path.'),
      base: Type.Optional(
        Nullable(Type.String({ maxLength: limits.settingCharsMax }), {
          description: 'Where the module is served; null: where its file says.',
        }),
      ),
      visibility: Type.Optional(visibility),
      tolerant: tolerantField,
    }),
    ...shows('The listing.', listingSchema),
    refuses: [...refuses],
    example: { request: { base: 'https://insight.example.org/v1' }, answer: exampleListing },
  }),
  async ({ marketplace: { listings } }, { businessId, subject, params, body }) => {
    const change = { ...body, by: subject }
    const { listing } = await listings.change(businessId, params.listing, change)
    return shownListing(businessId, listing)
  },
)

export const removeListing = on.remove(
  '/:listing',
  'Remove a listing that no module uses.',
  () => ({ ...does('It is removed.'), refuses: ['in_use'] }),
  ({ marketplace: { listings } }, { businessId, params }) =>
    listings.remove(businessId, params.listing),
)

/** A listing as a business may see it: who published it is its owner's. */
function shownListing(businessId: string, listing: Listing) {
  const own = listing.businessId === businessId
  const publishedBy = own && listing.publishedBy !== '' ? listing.publishedBy : null
  return { ...listing, own, publishedBy }
}
