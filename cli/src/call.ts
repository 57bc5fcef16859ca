import { type MillraceClient, type operations as Operations, unwrap } from '@millrace/client'

/** The type of a value in the OpenAPI document, and whether it is required. */
type Field = { readonly type: string; readonly required?: true }

/** The method and path of an operation, with the places of its values. */
export type Operation = {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, Field>>
  readonly body?: Readonly<Record<string, Field>>
  /** A body is sent, even if it has no fields. */
  readonly needsBody?: true
}

export type OperationId = keyof Operations

type None = Readonly<Record<never, never>>
type Here<Part> = [Part] extends [undefined] ? None : NonNullable<Part>
type JsonOf<Part> = Part extends { readonly content: { readonly 'application/json': infer Json } }
  ? Json
  : None
type Parameters<Id extends OperationId> = Operations[Id]['parameters']

/** Optional fields may also be undefined. */
type Loose<Fields> = {
  readonly [Name in keyof Fields]: None extends Pick<Fields, Name>
    ? Fields[Name] | undefined
    : Fields[Name]
}

type ParametersOf<Id extends OperationId> = Loose<Here<Parameters<Id>['path']>> &
  Loose<Here<Parameters<Id>['query']>>

/** The values of an operation by their names, wherever in a request they stand. */
export type Arguments<Id extends OperationId> = ParametersOf<Id> &
  Loose<JsonOf<Here<Operations[Id]['requestBody']>>>

type Responses<Id extends OperationId> = Operations[Id]['responses']
type Good<Id extends OperationId> = keyof Responses<Id> & (200 | 201 | 202)

/** The data of an operation's answer. */
export type Answer<Id extends OperationId> = JsonOf<Responses<Id>[Good<Id>]>

/**
 * Calls operations of the API by their ids. A file that is the body, whatever it holds, comes
 * beside the values. @throws ApiError
 */
export type Call = {
  <Id extends OperationId>(
    id: Id,
    ...given: None extends Arguments<Id> ? [Arguments<Id>?] : [Arguments<Id>]
  ): Promise<Answer<Id>>
  <Id extends OperationId>(id: Id, given: ParametersOf<Id>, body: unknown): Promise<Answer<Id>>
}

/** The place of an operation in the API. */
export async function loadOperation(id: OperationId): Promise<Operation> {
  const { operations } = await import('./generated/operations.ts')
  const operation = operations[id]
  if (operation === undefined) throw new Error(`${id} is no operation`)
  return operation
}

/** Sends each value to its place: the path, the query or the body. @throws ApiError */
export async function callOperation(
  api: MillraceClient,
  id: OperationId,
  given: object = {},
  file?: unknown,
): Promise<unknown> {
  const { method, path, query = {}, body, needsBody } = await loadOperation(id)
  const parts = { path: {}, query: {}, body: {} }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const part = path.includes(`{${name}}`) ? 'path' : Object.hasOwn(query, name) ? 'query' : 'body'
    Object.assign(parts[part], { [name]: value })
  }
  const hasBody = body !== undefined && (needsBody || Object.keys(parts.body).length > 0)
  const ofValues = hasBody ? { body: parts.body } : {}
  const init = {
    params: { path: parts.path, query: parts.query },
    ...(file === undefined ? ofValues : { body: file }),
  }
  const send = api[method as 'GET'] as unknown as Send
  return unwrap(send(path, init))
}

type Result = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }
/** The methods of a client without the types of their paths, which an id has instead. */
type Send = (path: string, init: object) => Promise<Result>
