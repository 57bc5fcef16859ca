import { type paths, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'

/** The paths that have an operation of the method. */
export type PathOf<Verb extends Method> = {
  [Path in keyof paths]: paths[Path] extends { readonly [Name in Verb]: object } ? Path : never
}[keyof paths]

type Operation<Path extends keyof paths, Verb extends Method> = NonNullable<paths[Path][Verb]>

/** The texts of the parameters in the path, in order. */
type Places<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [string, ...Places<Rest>]
  : []

type Json<Part> = Part extends { content: { 'application/json': infer Data } } ? Data : undefined
type Good = 200 | 201 | 202 | 204
type Answer<One> = One extends { responses: infer All } ? Json<All[keyof All & Good]> : never
type Body<One> = One extends { requestBody?: infer Given } ? Fixed<Json<NonNullable<Given>>> : never
/** Lists of a body are read only: they are sent, and never changed. */
type Fixed<Given> = Given extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : Given extends object
    ? { readonly [Key in keyof Given]: Fixed<Given[Key]> }
    : Given
type Query<One> = One extends { parameters: { query?: infer Given } }
  ? Absent<NonNullable<Given>>
  : never
/** A parameter that may be left out may be undefined, which is not sent. */
type Absent<Given> = {
  readonly [Name in keyof Given]:
    | Fixed<Given[Name]>
    | (Record<string, never> extends Pick<Given, Name> ? undefined : never)
}

/** The answer of an operation, or one field of it. */
export type Result<One, Field> = Promise<
  [Field] extends [never]
    ? Answer<One>
    : Field extends keyof Answer<One>
      ? Answer<One>[Field]
      : never
>

/** Takes a path, and perhaps the field of the answer that is wanted. */
type Endpoint<Verb extends Method, Last extends unknown[] = []> = <
  Path extends PathOf<Verb>,
  Field extends string = never,
>(
  path: Path,
  field?: Field,
) => (client: Client, ...rest: [...Places<Path>, ...Last]) => Result<Operation<Path, Verb>, Field>

type Signal = AbortSignal | null | undefined

/** The arguments behind the parameters of the path. */
type Part = 'query' | 'body' | 'signal'

function endpoint<Made>(verb: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', ...parts: Part[]): Made {
  const make = (path: string, field?: string) => {
    const names = path.match(/(?<=\{)\w+/g) ?? []
    return async (client: Client, ...given: readonly unknown[]): Promise<never> => {
      const places = Object.fromEntries(names.map((name, at) => [name, given[at]]))
      const rest = parts.map((part, at) => [part, given[names.length + at]])
      const { query, ...init } = Object.fromEntries(rest)
      const params = { path: places, query }
      const send = client[verb] as (path: string, init: object) => Promise<never>
      const answer = await unwrap<never>(send(path, { ...init, params }))
      return field === undefined ? answer : answer[field]
    }
  }
  return make as Made
}

/** Reads what is at a path: `(client, …parameters of the path, signal)`. */
export const get: Endpoint<'get', [signal?: Signal]> = endpoint('GET', 'signal')

/** Reads what a query selects: `(client, …parameters of the path, query, signal)`. */
export const find: <Path extends PathOf<'get'>, Field extends string = never>(
  path: Path,
  field?: Field,
) => (
  client: Client,
  ...rest: [...Places<Path>, query: Query<Operation<Path, 'get'>>, signal?: Signal]
) => Result<Operation<Path, 'get'>, Field> = endpoint('GET', 'query', 'signal')

/** Sends a body: `(client, …parameters of the path, body)`. */
type Send<Verb extends Method> = <Path extends PathOf<Verb>, Field extends string = never>(
  path: Path,
  field?: Field,
) => (
  client: Client,
  ...rest: [...Places<Path>, body: Body<Operation<Path, Verb>>]
) => Result<Operation<Path, Verb>, Field>

export const post: Send<'post'> = endpoint('POST', 'body')
export const put: Send<'put'> = endpoint('PUT', 'body')
export const patch: Send<'patch'> = endpoint('PATCH', 'body')

/** Starts what an operation without a body does: `(client, …parameters of the path)`. */
export const act: Endpoint<'post'> = endpoint('POST')

/** Removes what is at a path: `(client, …parameters of the path)`. */
export const remove: Endpoint<'delete'> = endpoint('DELETE')

/** The same with a query: `(client, …parameters of the path, query)`. */
export const removeWith: <Path extends PathOf<'delete'>>(
  path: Path,
) => (
  client: Client,
  ...rest: [...Places<Path>, query: Query<Operation<Path, 'delete'>>]
) => Result<Operation<Path, 'delete'>, never> = endpoint('DELETE', 'query')
