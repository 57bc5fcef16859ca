import { readJson, refusalIn } from '@millrace/client'
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

/** Microseconds since 1970 of a time in an answer. */
export function microsOf(time: string): number {
  const micros = /\.\d{3}(\d{3})Z$/.exec(time)?.[1] ?? '0'
  return Date.parse(time) * 1_000 + Number(micros)
}
