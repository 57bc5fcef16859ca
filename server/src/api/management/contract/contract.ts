import type {
  ErrorCode,
  Json,
  Static,
  StaticResult,
  TObject,
  TProperties,
  TSchema,
} from '../../../foundation/kernel/index.ts'
import type { Permission } from '../../../people/accounts/index.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type RouteMethod = (typeof methods)[number]

/** The groups of routes in the OpenAPI document, with a sentence about each. */
export const tags = {
  instance: 'The instance: its health and this document.',
  accounts: 'Businesses, users, sessions and API tokens.',
  connectors: 'Connectors: their settings, contents, certificates and activity.',
  devices: "Identities of a connector's devices, their activation and their values.",
  assets: 'Assets as files, templates of them, dashboards, and reports of their values.',
  solutions: 'Solutions: scripts, services, settings, failures and activity.',
  interface: 'Operations that solutions declare for each other and for programs.',
  notifications: 'Notifications of a solution: states, channels, bindings.',
  modules: 'Insight modules.',
  mails: 'Mails that an instance without a mail server has kept.',
  outbound: 'Private addresses that the scripts of a business may call.',
  ledger: 'The account of every message.',
} as const
export type RouteTag = keyof typeof tags

/** The part of a route that does not depend on limits. */
export type RouteHead = {
  /** The `operationId`: a verb and a noun, such as `listConnectors`. */
  readonly id: string
  readonly method: RouteMethod
  /** Parameters are written `:connector`. */
  readonly path: string
  /**
   * A permission of the role; `account`: anyone with a credential; `operator`: the operator of the
   * instance alone; `none`: anyone.
   */
  readonly permission: Permission | 'account' | 'operator' | 'none'
  readonly tag: RouteTag
  /** True if callers of some groups may call it without Setup, for what lies in these. */
  readonly ofGroups?: true
  /** A change is answered once it is in force in every process: the next event may come to any. */
  readonly everyProcess?: true
  /** A sentence in the imperative. */
  readonly summary: string
}

/** A body that is not parsed with others: its content types and the largest size. */
export type StreamBody = {
  readonly stream: readonly string[]
  readonly bytesMax: number
  /** The fields of a form, or what the bytes hold if they are JSON. */
  readonly schema?: TSchema
  /** It is JSON, and larger than other bodies; else the operation reads the bytes itself. */
  readonly isParsed?: true
}

/** The content that comes with a status. Without content there is no body. */
export type AnswerContent = {
  readonly description: string
  readonly json?: TSchema
  /** The only field of the JSON: the operation returns its value alone. */
  readonly only?: string
  /** The data of server-sent events, by the names of the events. */
  readonly events?: Readonly<Record<string, TSchema>>
  /** Another content type, whose body is a text. */
  readonly text?: string
  /** Headers by their names in lower case. */
  readonly headers?: Readonly<Record<string, TSchema>>
}

/** The details of an operation as they are declared. */
export type GivenDetails = {
  /** More than the summary, for the reference. */
  readonly description?: string
  readonly query?: TObject
  readonly headers?: TObject
  /** A JSON object, or any JSON; a `Type.Optional` may be left out. */
  readonly body?: TSchema | StreamBody
  /** The largest body of a route without a credential, in bytes. */
  readonly bodyBytesMax?: number
  readonly answers: Readonly<Record<number, AnswerContent>>
  /** Errors of this route, beside those that any route may answer. */
  readonly refuses?: readonly ErrorCode[]
  /** The caller's own program decides the status and the body. */
  readonly anyAnswer?: boolean
  readonly example?: { readonly request?: unknown; readonly answer?: unknown }
}

/** The same with the parameters of the path. */
export type RouteDetails = GivenDetails & { readonly params?: TObject }

/** The contract of a route: all that a client needs to know. */
export type Contract = RouteHead & {
  /** Created when first used, since schemas may hold limits that an operator sets. */
  details(): RouteDetails
  /** The same, created again: with limits that were set since. */
  detailsNow(): RouteDetails
}

export function isStream(body: TSchema | StreamBody): body is StreamBody {
  return 'stream' in body
}

/** The names of the parameters of a path. */
type NamesIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never

export type ParamsOf<Path extends string, Own extends TProperties> = {
  readonly [Name in NamesIn<Path>]: Name extends keyof Own ? Static<Own[Name]> : string
}

export type QueryOf<Details extends GivenDetails> = Details['query'] extends TObject
  ? Static<Details['query']>
  : Readonly<Record<never, unknown>>

export type BodyOf<Details extends GivenDetails> = Details['body'] extends {
  readonly isParsed: true
  readonly schema: infer Schema extends TSchema
}
  ? Static<Schema>
  : Details['body'] extends TSchema
    ? Details['body'] extends { readonly '~optional': unknown }
      ? Static<Details['body']> | undefined
      : Static<Details['body']>
    : undefined

/**
 * The result of an operation: the JSON of its answer, or the value of its only field; else
 * anything.
 */
export type ResultOf<Details extends GivenDetails> = [JsonOf<Details>] extends [never]
  ? unknown
  : JsonOf<Details>

type JsonOf<Details extends GivenDetails> = {
  [Status in keyof Details['answers'] & number]: Details['answers'][Status] extends {
    readonly json: infer Schema extends TSchema
  }
    ? Shown<ValueOf<Details['answers'][Status], StaticResult<Schema>>>
    : never
}[keyof Details['answers'] & number]

type ValueOf<Answer, Value> = Answer extends { readonly only: infer Name extends keyof Value }
  ? Value[Name] | (null extends Value[Name] ? undefined : never)
  : Value

/** A value to show: what may be null may be undefined, too. */
type Shown<Value> = Json extends Value
  ? Value
  : Value extends object
    ? {
        readonly [Key in keyof Value]:
          | Shown<Value[Key]>
          | (null extends Value[Key] ? undefined : never)
      }
    : Value
