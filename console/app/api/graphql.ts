import { ApiError, errorIn, readEvents, readJson, refusalIn } from '@millrace/client'
import type { Client } from './client.ts'

/** A document with the types of its variables and of its answer, which nobody reads at run time. */
export type Document<Variables, Data> = {
  readonly text: string
  readonly types?: [Variables, Data]
}

/**
 * Runs a document. A field that failed fails the whole: half an answer is not shown as one.
 * @throws ApiError
 */
export async function ask<Variables, Data>(
  client: Client,
  document: Document<Variables, Data>,
  variables: Variables,
  signal: AbortSignal | null = null,
): Promise<Data> {
  const response = await client.request('/api/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document.text, variables }),
    signal,
  })
  const answer = await readJson(response)
  const refusal = refusalIn(answer, response.status)
  if (refusal !== undefined) throw refusal
  return (answer as { readonly data: Data }).data
}

type Answer<Data, Field> = [Field] extends [never]
  ? Data
  : Field extends keyof Data
    ? Data[Field]
    : never

/** Asks a document, or for a field of its answer: `(client, variables, signal)`. */
export function asking<Variables, Data, Field extends keyof Data = never>(
  document: Document<Variables, Data>,
  field?: Field,
) {
  return async (client: Client, variables: Variables, signal: AbortSignal | null = null) => {
    const data = await ask(client, document, variables, signal)
    return (field === undefined ? data : data[field]) as Answer<Data, Field>
  }
}

/** The same for a document without variables: `(client, signal)`. */
export function reading<Data, Field extends keyof Data>(
  document: Document<Readonly<Record<string, never>>, Data>,
  field: Field,
) {
  const read = asking(document, field)
  return (client: Client, signal: AbortSignal | null = null) => read(client, {}, signal)
}

export type FollowGraphOptions = {
  readonly signal: AbortSignal
  /** Called when the stream is open: what happened before it was open does not come. */
  readonly opened: () => void
  /** Called when the stream was lost, before it is opened again. */
  readonly lost: (error: Error) => void
}

const retryMs = 1_000

/**
 * Runs a subscription by server-sent events, and again when its connection is lost.
 * @throws ApiError if the server refuses it.
 */
export async function* followGraph<Variables, Data>(
  client: Client,
  document: Document<Variables, Data>,
  variables: Variables,
  { signal, opened, lost }: FollowGraphOptions,
): AsyncGenerator<Data> {
  while (!signal.aborted) {
    try {
      const response = await openStream(client, document, variables, signal)
      opened()
      for await (const { event, data } of readEvents(response)) {
        if (event === 'complete') break
        const refusal = refusalIn(data, response.status)
        if (refusal !== undefined) throw refusal
        if (event === 'next') yield (data as { readonly data: Data }).data
      }
    } catch (error) {
      if (signal.aborted) return
      if (!mayPass(error)) throw error
      lost(error as Error)
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

async function openStream<Variables, Data>(
  client: Client,
  document: Document<Variables, Data>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Response> {
  const response = await client.request('/api/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: document.text, variables }),
    signal,
  })
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !type.startsWith('text/event-stream')) throw await errorIn(response)
  return response
}

/** Returns whether another connection may succeed. */
function mayPass(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** Microseconds since 1970 of a time in an answer. */
export function parseMicros(time: string): number {
  const micros = /\.\d{3}(\d{3})Z$/.exec(time)?.[1] ?? '0'
  return Date.parse(time) * 1_000 + Number(micros)
}
