import {
  component,
  limits,
  Microseconds,
  Nullable,
  type Static,
  type StaticResult,
  StrictObject,
  Text,
  type TSchema,
  Type,
} from '../../foundation/kernel/index.ts'
import { marketplaceLimits } from './limits.ts'

/** A place in a definition that breaks a rule. */
export const problemSchema = StrictObject({
  pointer: Type.String({ description: 'Where, as a JSON pointer.' }),
  detail: Type.String(),
})

/** The business that owns it, or every business of the instance, may use it. */
const visibilitySchema = Type.Enum(['private', 'public'], {
  description: 'Who may use it: the business that owns it, or every business of the instance.',
})
export type Visibility = Static<typeof visibilitySchema>

export const parameterTypes = ['string', 'number', 'integer', 'boolean'] as const

/** A configuration parameter that a module declares; each use gives it a value. */
export const parameterFields = {
  name: Type.String(),
  description: Type.String(),
  type: Type.Enum([...parameterTypes]),
  secret: Type.Boolean({ description: 'Its value is never shown.' }),
  required: Type.Boolean(),
} as const

const declarationSchema = component('ModuleParameterDeclaration', parameterFields)
export type ParameterDeclaration = StaticResult<typeof declarationSchema>

const listingFields = {
  id: Type.String(),
  own: Type.Boolean({ description: 'The business owns it, and may change it.' }),
  name: Type.String(),
  visibility: visibilitySchema,
  version: Type.String({ description: 'Of its definition; empty if it has none.' }),
  base: Type.String({ description: 'Where the module is served, with its base path.' }),
  givenBase: Nullable(Type.String(), {
    description: 'What was given beside the definition; null: its host counts.',
  }),
  definitionUrl: Nullable(Type.String(), {
    description: 'Where its definition was read; null: it was sent, or there is none.',
  }),
  parameters: Type.Array(declarationSchema),
  problems: Type.Array(problemSchema, {
    description: 'What breaks the rules of definitions; only a private listing may have any.',
  }),
  publishedBy: Nullable(Type.String(), {
    description: 'A user or an API token; null: unknown, or of another business.',
  }),
  publishedAt: Microseconds(),
} as const

export const listingSchema = component('InsightListing', listingFields, {
  description: 'An insight module as its owner published it.',
})
/** A listing as a business may see it: who published it is its owner's. */
export type ShownListing = StaticResult<typeof listingSchema>

export const wholeListingSchema = component('InsightListingWithDefinition', {
  ...listingFields,
  definition: Type.String({ description: 'As it was given; empty if there is none.' }),
})
export type WholeListing = StaticResult<typeof wholeListingSchema>

/** The address of a module, or of its definition, in a request. */
export const urlField = (description: string) =>
  Type.Optional(Type.String({ description, maxLength: limits.settingCharsMax }))

/** The fields of a listing that is published, and that change later. */
const createGivenFields = <Base extends TSchema>(base: Base) => ({
  name: Type.Optional(
    Text({ description: 'The title of the file if left out.', maxLength: limits.nameCharsMax }),
  ),
  definition: Type.Optional(
    Type.String({
      description:
        'An OpenAPI 2.0 file, JSON or YAML; ' +
        `${marketplaceLimits.definitionBytesMax} bytes at most.`,
    }),
  ),
  definitionUrl: urlField('Where such a file is, at any path.'),
  base,
  visibility: Type.Optional(visibilitySchema),
  tolerant: Type.Optional(
    Type.Boolean({ description: 'Keep what breaks the rules; the listing stays private.' }),
  ),
})

/** A user or an API token. */
type Author = { readonly by: string }

export const createNewListingSchema = () =>
  component(
    'NewInsightListing',
    createGivenFields(urlField('Where the module is served, if its file does not say so.')),
  )
export type NewListing = StaticResult<ReturnType<typeof createNewListingSchema>> & Author

const changedBase = Type.Optional(
  Nullable(Type.String({ maxLength: limits.settingCharsMax }), {
    description: 'Where the module is served; null: where its file says.',
  }),
)

export const createListingChangeSchema = () =>
  component('InsightListingChange', createGivenFields(changedBase))
export type ListingChange = StaticResult<ReturnType<typeof createListingChangeSchema>> & Author

/** Says of a URL whether a module may be there, as far as it is known before a call. */
export const moduleAddressSchema = StrictObject({
  allowed: Type.Boolean(),
  reason: Nullable(Type.String(), { description: 'Why not; null if it may.' }),
})
export type ModuleAddress = StaticResult<typeof moduleAddressSchema>
