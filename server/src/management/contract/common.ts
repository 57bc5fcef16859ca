import {
  AnyValue,
  limits,
  Nullable,
  refuseTime,
  StrictObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  Type,
} from '../../kernel/index.ts'

/**
 * The schemas that several routes share. One with the keyword `component` stands under that name
 * in the OpenAPI document.
 */
export function component<Properties extends TProperties>(
  name: string,
  properties: Properties,
  options: TSchemaOptions = {},
) {
  return StrictObject(properties, Object.assign({ component: name }, options))
}

/** A time of the wire: whole microseconds since 1970. */
export function Microseconds(description = 'A time in microseconds since 1970.') {
  return Type.Refine(
    Type.Integer({ description }),
    (us) => refuseTime(us) === undefined,
    (us) => refuseTime(us) ?? '',
  )
}

/** A time that may not be: null where there is none. */
export function OptionalMicroseconds(description: string) {
  return Nullable(Type.Integer(), { description })
}

/** The parameter of a path that names something. */
export function PathText(description: string) {
  return Type.String({ description })
}

export const connectorParams = StrictObject({
  connector: PathText('The id of a connector: the first label of its host.'),
})

export const deviceParams = StrictObject({
  connector: PathText('The id of a connector: the first label of its host.'),
  identity: PathText('The identity of a device, percent-encoded.'),
})

export const solutionParams = StrictObject({
  solution: PathText('The id of a solution.'),
})

/** A text to find: any that a line may hold. */
export function SearchText(description: string) {
  const rule = `must be a text of at most ${limits.settingCharsMax} characters, without a NUL`
  return Type.Refine(
    Type.String({ description, rule }),
    (text) => text.length <= limits.settingCharsMax && !text.includes('\0'),
    () => rule,
  )
}

/** A size of a page, for a query. */
export function PageSize(maximum: number) {
  return Type.Optional(
    Type.Integer({ description: 'The most items of the page.', minimum: 1, maximum }),
  )
}

/** The end of a page of which the last item is where the next page begins. */
export const pageEnd = {
  mayLoadMore: Type.Boolean(),
  before: Type.Optional(Type.String({ description: 'Of the next page.' })),
}

/** How many items a page passes over, for a query. */
export function Offset() {
  return Type.Optional(Type.Integer({ description: 'How many to pass over first.', minimum: 0 }))
}

/** Every error of the API. */
export const refusalSchema = component(
  'Refusal',
  {
    code: Type.String({ description: 'A code of docs/reference/errors.md, for programs.' }),
    message: Type.String({ description: 'A sentence for people.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    reason: Type.Optional(Type.String({ description: 'More about the cause.' })),
    problems: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'Where, as a JSON pointer.' }),
          detail: Type.String(),
        }),
        { description: 'All that is wrong with a document.' },
      ),
    ),
    conflict: Type.Optional(
      StrictObject(
        { stored: AnyValue<unknown>(), sent: AnyValue<unknown>() },
        { description: 'Of a change of an older version: what is stored, and what was sent.' },
      ),
    ),
  },
  { description: 'An error.' },
)

/** An answer in JSON. */
export function json<Schema extends TSchema>(description: string, schema: Schema) {
  return { description, json: schema }
}

/** An answer without a body. */
export function nothing(description: string) {
  return { description }
}
