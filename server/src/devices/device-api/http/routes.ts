import type { ServerResponse } from 'node:http'
import {
  answeredMethods,
  omitUndefined,
  type VendorName,
} from '../../../foundation/kernel/index.ts'
import type { DeviceRequest } from './request.ts'

/** A call of devices: it answers, or throws the Fault to answer with. */
export type RouteHandler = (request: DeviceRequest, response: ServerResponse) => Promise<void>

type CallName = 'activate' | 'write' | 'poll' | 'record' | 'content' | 'timestamp' | 'address'

/** The devices' calls by name. */
export type Calls = {
  readonly [Name in CallName]: RouteHandler
}

/** The match of a path and a method: a call, or what is in its place. */
export type RouteMatch = {
  readonly call?: RouteHandler
  /** The methods that the path allows. */
  readonly allow?: string
  /** The call that does now what old clients call here. */
  readonly instead?: string
  readonly query: string
}

export type Routes = {
  owns(url: string): boolean
  find(method: string, url: string): RouteMatch
}

/** The table of the device API. Clients write the colon of `/vendor:v1` as it is or as `%3A`. */
export function createRoutes(vendors: readonly VendorName[], calls: Calls): Routes {
  const table = new Map<string, Readonly<Record<string, RouteHandler>>>([
    ['/provision/activate', { POST: calls.activate }],
    ['/provision/download', { GET: calls.content }],
    ['/timestamp', { GET: calls.timestamp }],
    ['/ip', { GET: calls.address }],
  ])
  const rpc = new Set(['/api:v1/rpc/process'])
  for (const { path } of vendors) {
    rpc.add(`/${path}:v1/rpc/process`)
    for (const colon of [':', '%3A', '%3a']) {
      const base = `/${path}${colon}v1/stack`
      table.set(`${base}/alias`, { GET: calls.poll, POST: calls.write })
      table.set(`${base}/record`, { POST: calls.record })
    }
  }
  const insteadFor = (path: string) =>
    rpc.has(path) ? `/${vendors[0]?.path}:v1/stack/alias` : managed(path)
  return {
    owns(url) {
      const { path } = split(url)
      return table.has(path) || insteadFor(path) !== undefined
    },
    find(method, url) {
      const { path, query } = split(url)
      const methods = table.get(path)
      if (methods === undefined) return omitUndefined({ query, instead: insteadFor(path) })
      // Node sends no body in answer to a HEAD, and the length of the one that there would be.
      const wanted = method === 'HEAD' ? 'GET' : method
      const call = Object.hasOwn(methods, wanted) ? methods[wanted] : undefined
      if (call === undefined) {
        return { query, allow: answeredMethods(Object.keys(methods)).join(', ') }
      }
      return { query, call }
    },
  }
}

/** The management API has what a vendor's own server called under this path. */
function managed(path: string): string | undefined {
  const what = /^\/provision\/manage\/(model|content)(?:\/|$)/.exec(path)?.[1]
  if (what === undefined) return undefined
  return `/api:1/service/<connector>/device2/${what === 'model' ? 'identity' : 'content'}`
}

function split(url: string): { path: string; query: string } {
  const at = url.indexOf('?')
  if (at < 0) return { path: url, query: '' }
  return { path: url.slice(0, at), query: url.slice(at + 1) }
}
