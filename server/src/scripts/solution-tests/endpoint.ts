import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { exactText, parseOwnJson } from '../../foundation/kernel/index.ts'
import type { ScriptValue } from '../scripting/index.ts'

/** The fields of a test's call, of any type: a Lua table. */
export type CallFields = Readonly<Record<string, ScriptValue>>

/** Requests an endpoint of a solution at the solution's own host, as a browser would. */
export async function requestEndpoint(
  httpUrl: string,
  solutionId: string,
  { method, path, headers, query, body }: CallFields,
  msMax: number,
): Promise<ScriptValue> {
  const url = new URL(String(path), httpUrl)
  for (const [name, value] of toPairs(query)) url.searchParams.append(name, value)
  const isText = typeof body === 'string' || body instanceof Uint8Array
  const content = body === undefined || isText ? body : JSON.stringify(body)
  const message = await new Promise<IncomingMessage>((answered, failed) => {
    const asking = request(
      // Always this instance, whatever the path is.
      new URL(`${url.pathname}${url.search}`, httpUrl),
      {
        method: String(method),
        headers: {
          host: `${solutionId}.localhost`,
          ...(content === undefined || isText ? {} : { 'content-type': 'application/json' }),
          ...Object.fromEntries(toPairs(headers)),
        },
        timeout: msMax,
        agent: false,
      },
      answered,
    )
    asking.on('error', failed)
    asking.on('timeout', () => asking.destroy(new Error('the endpoint gave no answer')))
    asking.end(content)
  })
  const text = exactText(await buffer(message))
  const type = message.headers['content-type'] ?? ''
  return {
    code: message.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: /\bjson\b/.test(type) && text !== '' ? parseOwnJson(text) : text,
  }
}

function toPairs(value: ScriptValue): [string, string][] {
  return Object.entries(value ?? {}).map(([name, one]) => [name, String(one)])
}
