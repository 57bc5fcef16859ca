import { ApiError } from '@millrace/client'
import type { ScriptLine } from './solutions.ts'

/** An endpoint of a solution, as its script names it. */
export type Endpoint = {
  /** `GET /pumps/{id}`. */
  readonly name: string
  readonly method: string
  readonly path: string
}

/** The endpoints among the scripts of a solution. */
export function findEndpoints(scripts: readonly ScriptLine[]): Endpoint[] {
  return scripts.flatMap(({ kind, name }) => {
    const at = name.indexOf(' ')
    if (kind !== 'endpoint' || at < 0) return []
    return [{ name, method: name.slice(0, at), path: name.slice(at + 1) }]
  })
}

/** The names of the parts of a path that a caller fills. */
export function listPathParts(path: string): string[] {
  return [...path.matchAll(/\{([^}*]+)\*?\}/g)].map(([, name = '']) => name)
}

/**
 * The path at the console's own origin. Scripts get neither cookies nor credentials of it, and what
 * they answer is no page of it.
 */
export function pathAt(
  solution: string,
  { path }: Endpoint,
  parts: Readonly<Record<string, string>>,
  query: string,
): string {
  const filled = path.replaceAll(/\{([^}*]+)(\*?)\}/g, (_whole, name: string, rest: string) => {
    const value = encodeURIComponent(parts[name] ?? '')
    return rest === '' ? value : value.replaceAll('%2F', '/')
  })
  const asked = query.replace(/^\?/, '')
  return `/solution/${solution}${filled}${asked === '' ? '' : `?${asked}`}`
}

/** The request to an endpoint. */
export type EndpointRequest = {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

export type EndpointAnswer = {
  readonly status: number
  readonly tookMs: number
  readonly headers: readonly (readonly [string, string])[]
  /** Undefined for bytes that are not text. */
  readonly text: string | undefined
  readonly bytes: number
}

const waitMsMax = 60_000

/** Sends a request without the session. @throws ApiError `unreachable` if nothing answers. */
export async function sendRequest(
  origin: string,
  { method, path, headers, body }: EndpointRequest,
): Promise<EndpointAnswer> {
  const startedMs = performance.now()
  try {
    const answer = await fetch(origin + path, {
      method,
      headers: headers.map(([name, value]) => [name, value] as [string, string]),
      ...(body !== '' && { body }),
      credentials: 'omit',
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(waitMsMax),
    })
    const bytes = await answer.arrayBuffer()
    return {
      status: answer.status,
      tookMs: Math.round(performance.now() - startedMs),
      headers: [...answer.headers],
      text: textIn(bytes),
      bytes: bytes.byteLength,
    }
  } catch (error) {
    const { message } = error as Error
    throw new ApiError({ code: 'unreachable', status: 0, message, cause: error })
  }
}

function textIn(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
