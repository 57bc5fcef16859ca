import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Permission, Principal } from '../accounts/index.ts'
import { Fault, limits, Type } from '../kernel/index.ts'
import { contract, type Method, methods } from './contract/contract.ts'
import { type Route as NewRoute, route } from './route.ts'

export type OpenCall = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly ip: string
  readonly authorization: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: AsyncIterable<Buffer>
}
export type Call = OpenCall & { readonly principal: Principal }
export type Answer =
  | { readonly status: number; readonly body?: unknown }
  | { readonly status: number; readonly json: string }
  | { readonly status: number; readonly stream: (response: ServerResponse) => void }
type Verb =
  | { readonly permission: Permission; readonly takes?: 'bytes'; act(call: Call): Promise<Answer> }
  | { readonly permission: 'account'; act(call: Call): Promise<Answer> }
  | {
      readonly permission: 'nobody'
      readonly bodyBytesMax?: number
      act(call: OpenCall): Promise<Answer>
    }
export type Route = { readonly path: string } & { readonly [Name in Method]?: Verb }
export const ok = (body: unknown): Answer => ({ status: 200, body })
export const created = (body: unknown): Answer => ({ status: 201, body })
export const noContent = (): Answer => ({ status: 204 })

/** Routes without a contract, until each has one. */
export function withoutContracts(routes: readonly Route[]): NewRoute[] {
  return routes.flatMap((old) =>
    methods.flatMap((method) => {
      const verb = old[method]
      if (verb === undefined) return []
      const permission = verb.permission === 'nobody' ? 'none' : verb.permission
      const { path } = old
      const id = `${method}${path}`
      const bytes = 'takes' in verb && verb.takes === 'bytes'
      const head = { id, method, path, permission, tag: 'instance', summary: id } as const
      const any = contract(head, () => ({
        ...(bytes && { body: { stream: ['*/*'], bytesMax: 1 } }),
        ...(!bytes && method !== 'GET' && { body: Type.Optional(Type.Unknown()) }),
        ...('bodyBytesMax' in verb && { bodyBytesMax: limits.signInBodyBytesMax }),
        answers: {},
        anyAnswer: true,
      }))
      return [route(any as never, (async (call: Call) => verb.act(call)) as never)]
    }),
  )
}

export function refuseMethod(allow: string) {
  return async (_request: unknown, reply: { header(name: string, value: string): unknown }) => {
    reply.header('allow', allow)
    throw new Fault('method_not_allowed')
  }
}
