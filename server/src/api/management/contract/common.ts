import type { ServerResponse } from 'node:http'
import {
  AnyValue,
  component,
  Fault,
  PageSize,
  previewSchema,
  StrictObject,
  type TSchema,
  Type,
} from '../../../foundation/kernel/index.ts'

/** The parameter of a path that names something. */
export function PathText(description: string) {
  return Type.String({ description })
}

/** The parameters of paths, where an operation does not say more about one. */
export const pathTexts: Readonly<Record<string, string>> = {
  address: '`host:port`, such as `10.0.0.5:8080`, `erp.lan:443` or `10.0.0.5:*`.',
  asset: 'The id of an asset.',
  business: 'The id or the name of a business, percent-encoded.',
  campaign: 'The id of a campaign.',
  connector: 'The id of a connector: the first label of its host.',
  content: 'The id of a content, percent-encoded.',
  dashboard: 'The id of a dashboard.',
  file: 'The path of a static file, percent-encoded as one part.',
  group: 'The id of a group.',
  identity: 'The identity of a device, percent-encoded.',
  instruction: 'The id of a work instruction.',
  invitation: 'The id of an invitation.',
  listing: 'The id of a listing.',
  mail: 'The id of a mail.',
  module: 'The id of a module.',
  name: 'The name of a script, percent-encoded.',
  operation: 'The name of an operation.',
  report: 'The id of a report.',
  role: 'The name of a role, percent-encoded.',
  sender: 'An e-mail address, or a domain as `@example.com`, percent-encoded.',
  session: 'The id of a session.',
  signal: 'The id of a signal.',
  solution: 'The id of a solution.',
  subscriber: 'The id of a subscription, or of the solution that subscribed.',
  template: 'The id of a template.',
  user: 'The id of a user.',
  version: 'Its number, from 1.',
}

/** A text to find in names and descriptions. */
export function LettersOfName() {
  return Type.Optional(Type.String({ description: 'Letters of the name or description.' }))
}

/** The number of items that a page passes over, for a query. */
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

/** The answer of an operation that shows or changes an item. */
export function shows<Schema extends TSchema>(description: string, schema: Schema) {
  return { answers: { 200: json(description, schema) } }
}

/** The answer of an operation that creates an item. */
export function makes<Schema extends TSchema>(description: string, schema: Schema) {
  return { answers: { 201: json(description, schema) } }
}

/** The answer of an operation that returns nothing. */
export function does(description: string) {
  return { answers: { 204: { description } } }
}

/** The answer of one value under a name. The operation returns it without the name. */
export function holds<const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema,
  description: string,
) {
  const fields = { [name]: schema } as { [Key in Name]: Schema }
  return { answers: { 200: { ...json(description, StrictObject(fields)), only: name } } }
}

/** The answer of a list. The operation returns its items. */
export function lists<const Name extends string, Schema extends TSchema>(
  name: Name,
  item: Schema,
  description = 'A page.',
) {
  return holds(name, Type.Array(item), description)
}

/** The query of a list whose pages pass over the items before. */
export const paging = () => ({ limit: PageSize(), offset: Offset() })

/** The request and the answer for the versions of a document. */
export const versionPage = <Version extends TSchema>(version: Version) => ({
  query: StrictObject(paging()),
  ...lists('versions', version),
})

/** The request and the answer for one version. */
export const versionCompared = <Version extends TSchema>(version: Version) => ({
  query: StrictObject({
    since: Type.Optional(
      Type.Integer({
        description: 'The version with which it is compared; the one before if it is left out.',
        minimum: 1,
      }),
    ),
  }),
  ...shows('The version.', version),
})

/** The version that a path names. @throws Fault `not_found` if it is no number */
export function versionNumber({ version }: { readonly version: string }): number {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw new Fault('not_found')
  return Number(version)
}

/** The bytes of a file as a body. */
export function fileBody(bytesMax: number) {
  return { stream: ['*/*'], bytesMax, schema: Type.String({ format: 'binary' }) } as const
}

/** A body of JSON that may be larger than others. */
export function largeBody<Schema extends TSchema>(bytesMax: number, schema: Schema) {
  return { stream: ['application/json'], bytesMax, schema, isParsed: true } as const
}

/** The answer of every preview of a deletion. */
export const previews = () =>
  shows('What depends on it; kinds of which there is nothing are left out.', previewSchema)

/** The query of a deletion that has to be confirmed if anything depends on it. */
export const confirm = Type.Optional(
  Type.String({
    description:
      'The name or the id of what is deleted: needed if anything depends on it, which the ' +
      'refusal names.',
  }),
)

/** The operation has sent its answer itself. */
export const sent = Symbol('sent')

/** An answer that writes itself, head and all. */
export class StreamedAnswer {
  readonly write: (response: ServerResponse) => void

  constructor(write: (response: ServerResponse) => void) {
    this.write = write
  }
}

/** An answer whose status the operation chooses. */
export class OwnAnswer {
  readonly status: number
  readonly value: unknown

  constructor(status: number, value: unknown) {
    this.status = status
    this.value = value
  }
}
