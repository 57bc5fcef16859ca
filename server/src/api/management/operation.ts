import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  StrictObject,
  type TProperties,
  type TSchema,
  wireSchema,
} from '../../foundation/kernel/index.ts'
import type { Principal, SignInFrom } from '../../people/accounts/index.ts'
import type { OwnAnswer, StreamedAnswer, sent } from './contract/common.ts'
import { PathText, pathTexts } from './contract/common.ts'
import {
  type BodyOf,
  type Contract,
  type GivenDetails,
  isStream,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
  type RouteDetails,
  type RouteHead,
  type RouteMethod,
  type StreamBody,
} from './contract/contract.ts'
import type { ApiServices } from './services.ts'

/** A request of anyone, as an operation has it. */
export type OpenCall<
  Details extends GivenDetails = GivenDetails,
  Path extends string = string,
  Params extends TProperties = Record<never, never>,
> = {
  readonly params: ParamsOf<Path, Params>
  readonly query: QueryOf<Details>
  /** The parsed JSON; undefined if there was no body. */
  readonly body: BodyOf<Details>
  readonly ip: string
  /** The origin of a request to sign in. */
  readonly from: SignInFrom
  readonly authorization: string | undefined
  readonly headers: IncomingHttpHeaders
  /** The body as it comes, of an operation that reads it itself. */
  readonly bytes: AsyncIterable<Buffer>
  /** For an operation that parses a form, or sends its answer in pieces. */
  readonly raw: { readonly request: FastifyRequest; readonly reply: FastifyReply }
  /** The contract of the operation, for a stream that checks its reader repeatedly. */
  readonly contract: Contract
}

/** A request of a holder of a credential, with who calls and what the caller sees. */
export type Call<
  Details extends GivenDetails = GivenDetails,
  Path extends string = string,
  Params extends TProperties = Record<never, never>,
> = OpenCall<Details, Path, Params> &
  Pick<Principal, 'businessId' | 'view' | 'subject'> & { readonly principal: Principal }

type CallOf<
  Permission extends RouteHead['permission'],
  Path extends string,
  Details extends GivenDetails,
  Params extends TProperties,
> = Permission extends 'none' ? OpenCall<Details, Path, Params> : Call<Details, Path, Params>

type Result<Details extends GivenDetails> =
  | ResultOf<Details>
  | typeof sent
  | StreamedAnswer
  | OwnAnswer

/** An operation of the API: its contract and its code. Its name is that of its export. */
export type ApiOperation = Contract & {
  act(services: ApiServices, call: Call): unknown
}

export type UnnamedOperation = Omit<ApiOperation, 'id'>

type Act = ApiOperation['act']

type GroupOptions<Params> = Pick<RouteHead, 'ofGroups' | 'everyProcess'> & {
  /** The parameters of the path that differ from `pathTexts`. */
  readonly params?: Params
  /** Their schemas have the names of the wire already. */
  readonly isNamed?: true
  /** Refused with `not_found` unless the business has the solution of the path. */
  readonly inSolution?: true
}

/** Declares operations of a noun, which have a tag, a permission and a path in common. */
export function operations<
  const Permission extends RouteHead['permission'],
  const Base extends string,
  Params extends TProperties = Record<never, never>,
>(
  tag: RouteHead['tag'],
  permission: Permission,
  base: Base,
  { params, isNamed, inSolution, ...options }: GroupOptions<Params> = {},
) {
  const by =
    (method: RouteMethod) =>
    <const Path extends string, const Details extends GivenDetails>(
      path: Path,
      summary: string,
      create: () => Details,
      act: (
        services: ApiServices,
        call: CallOf<Permission, `${Base}${Path}`, Details, Params>,
      ) => Result<Details> | Promise<Result<Details>>,
    ): UnnamedOperation => {
      let details: RouteDetails | undefined
      const detailsNow = () => withParams(`${base}${path}`, params, inWireNames(create(), isNamed))
      return {
        method,
        path: `${base}${path}`,
        permission,
        tag,
        summary,
        ...options,
        details() {
          details ??= detailsNow()
          return details
        },
        detailsNow,
        // The types of a call are those that the validation of its contract made.
        act: inSolution ? withSolution(act as Act) : (act as Act),
      }
    }
  return {
    get: by('GET'),
    post: by('POST'),
    put: by('PUT'),
    patch: by('PATCH'),
    remove: by('DELETE'),
  }
}

function withSolution(act: Act): Act {
  return async (services, call) => {
    const { solution = '' } = call.params as { readonly solution?: string }
    await services.scripting.solutions.get(call.businessId, solution)
    return act(services, call)
  }
}

/** With the names of the wire. */
function inWireNames(
  { query, body, answers, ...details }: GivenDetails,
  isNamed?: boolean,
): GivenDetails {
  const named = <Schema extends TSchema>(schema: Schema) => wireSchema(schema, isNamed)
  const shownAnswers = Object.entries(answers).map(([status, { json, events, ...answer }]) => {
    const data = Object.entries(events ?? {}).map(([name, schema]) => [name, named(schema)])
    const shownEvents = events && { events: Object.fromEntries(data) }
    return [status, { ...answer, ...(json && { json: named(json) }), ...shownEvents }]
  })
  return {
    ...details,
    ...(query && { query: named(query) }),
    ...(body && { body: isStream(body) ? streamNamed(body, named) : named(body) }),
    answers: Object.fromEntries(shownAnswers),
  }
}

function streamNamed(
  { schema, ...body }: StreamBody,
  named: (schema: TSchema) => TSchema,
): StreamBody {
  return { ...body, ...(schema && { schema: named(schema) }) }
}

function withParams(path: string, own: TProperties = {}, details: GivenDetails): RouteDetails {
  const names = [...path.matchAll(/\/:([a-z]\w*)/g)].map(([, name = '']) => name)
  if (names.length === 0) return details
  const properties = names.map((name) => [name, own[name] ?? PathText(parameterText(name))])
  return { params: StrictObject(Object.fromEntries(properties) as TProperties), ...details }
}

function parameterText(name: string): string {
  const text = pathTexts[name]
  if (text === undefined) throw new Error(`no text says what the parameter ${name} is`)
  return text
}
