import { type paths, unwrap } from '@millrace/client'
import type { Client } from './client.ts'

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'

/** The paths that have an operation of the method. */
type PathOf<Verb extends Method> = {
  [Path in keyof paths]: paths[Path] extends { readonly [Name in Verb]: object } ? Path : never
}[keyof paths]

/** One text for each parameter in the path, in order. */
type Places<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [string, ...Places<Rest>]
  : []

type Json<Part> = Part extends { content: { 'application/json': infer Data } } ? Data : undefined
type Good = 200 | 201 | 202 | 204
type Answer<One> = One extends { responses: infer All } ? Json<All[keyof All & Good]> : never
type Body<One> = One extends { requestBody?: infer Given } ? Json<NonNullable<Given>> : never
type Query<One> = One extends { parameters: { query?: infer Given } } ? NonNullable<Given> : never

/** The answer of an operation, or one field of it. */
type Result<One, Field> = Promise<
  [Field] extends [never]
    ? Answer<One>
    : Field extends keyof Answer<One>
      ? Answer<One>[Field]
      : never
>

type Call<Before extends unknown[], Done> = (client: Client, ...rest: Before) => Done

type Parts = { readonly body?: unknown; readonly query?: unknown; readonly signal?: unknown }

/** Calls an operation; `partsOf` names what stands behind the parameters of the path. */
function call(
  verb: string,
  path: string,
  field: string | undefined,
  partsOf: (rest: readonly unknown[]) => Parts,
) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return async (client: Client, ...given: readonly unknown[]): Promise<never> => {
    const places = Object.fromEntries(names.map((name, at) => [name, given[at]]))
    const { query, ...rest } = partsOf(given.slice(names.length))
    const send = client[verb as 'GET'] as (path: string, init: object) => Promise<never>
    const answer = await unwrap<never>(send(path, { ...rest, params: { path: places, query } }))
    return field === undefined ? answer : answer[field]
  }
}

/** Reads what is at a path, or a field of it: `(client, …parameters of the path, signal)`. */
export function get<Path extends PathOf<'get'>, Field extends string = never>(
  path: Path,
  field?: Field,
): Call<
  [...Places<Path>, signal?: AbortSignal | null | undefined],
  Result<paths[Path]['get'], Field>
> {
  return call('GET', path, field, ([signal]) => ({ signal }))
}

/** Reads what a query selects: `(client, …parameters of the path, query, signal)`. */
export function find<Path extends PathOf<'get'>, Field extends string = never>(
  path: Path,
  field?: Field,
): Call<
  [...Places<Path>, query: Query<paths[Path]['get']>, signal?: AbortSignal | null | undefined],
  Result<paths[Path]['get'], Field>
> {
  return call('GET', path, field, ([query, signal]) => ({ query, signal }))
}

/** Reads all pages of what a query of places selects: `(client, signal)`. */
export function findAll<Path extends PathOf<'get'>, Field extends string>(
  path: Path,
  field: Field,
) {
  const page = call('GET', path, field, ([query, signal]) => ({ query, signal }))
  type Found = Awaited<Result<paths[Path]['get'], Field>>
  return async (client: Client, signal: AbortSignal | null = null): Promise<Found> => {
    const all: unknown[] = []
    for (;;) {
      const found: unknown[] = await page(client, { limit: pageSize, offset: all.length }, signal)
      all.push(...found)
      if (found.length < pageSize) return all as Found
    }
  }
}

const pageSize = 500

/** Sends a body: `(client, …parameters of the path, body)`. */
export function send<Verb extends 'put' | 'post' | 'patch'>(verb: Verb) {
  return <Path extends PathOf<Verb>, Field extends string = never>(
    path: Path,
    field?: Field,
  ): Call<[...Places<Path>, body: Body<paths[Path][Verb]>], Result<paths[Path][Verb], Field>> =>
    call(verb.toUpperCase(), path, field, ([body]) => ({ body }))
}

export const post = send('post')
export const put = send('put')
export const patch = send('patch')

/** Starts what an operation without a body does: `(client, …parameters of the path)`. */
export function act<Path extends PathOf<'post'>, Field extends string = never>(
  path: Path,
  field?: Field,
): Call<Places<Path>, Result<paths[Path]['post'], Field>> {
  return call('POST', path, field, () => ({}))
}

/** Removes what is at a path: `(client, …parameters of the path)`. */
export function remove<Path extends PathOf<'delete'>, Field extends string = never>(
  path: Path,
  field?: Field,
): Call<Places<Path>, Result<paths[Path]['delete'], Field>> {
  return call('DELETE', path, field, () => ({}))
}

/** Removes it with what depends on it: `(client, …parameters of the path, its name or id)`. */
export function removeNamed<Path extends PathOf<'delete'>>(
  path: Path,
): Call<[...Places<Path>, confirm: string], Result<paths[Path]['delete'], never>> {
  return call('DELETE', path, undefined, ([confirm]) => ({ query: { confirm } }))
}
