import type { TestContext } from 'node:test'
import { type InsightModule, type ServeOptions, serve } from '../../src/index.ts'

export type Client = {
  readonly url: string
  /** The reports to the one who serves. */
  readonly troubles: unknown[]
  get(path: string, headers?: Record<string, string>): Promise<Answered>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answered>
}

// The body of an answer is looked at by the tests alone, field by field.
export type Answered = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the answer as it is sent, before any type
  readonly json: any
  readonly text: string
}

/** Serves a module on a free port until the test ends. */
export async function served(
  t: TestContext,
  module: InsightModule,
  options: ServeOptions = {},
): Promise<Client> {
  const troubles: unknown[] = []
  const onTrouble = (trouble: unknown) => void troubles.push(trouble)
  const { url, close } = await serve(module, { onTrouble, ...options })
  t.after(close)
  const call = async (path: string, init: RequestInit): Promise<Answered> => {
    const { status, headers, ...response } = await answered(`${url}${path}`, init)
    return { status, headers, ...response }
  }
  return {
    url,
    troubles,
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

async function answered(url: string, init: RequestInit): Promise<Answered> {
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: JSON.parse(text), text }
}

export const sample = {
  ts: 1_700_000_000_000_000,
  value: 3,
  origin: 'connector.device.data_in.001',
  generated: 'connector.device.data_in.001',
}

/** The body of a process call. */
export function call(functionId: string, data: unknown[], constants: object = {}, id = 'link-1') {
  return { id, data, args: { function_id: functionId, constants } }
}
