import { type Client, call } from './call.ts'

/** A document with the types of its variables and of its answer, which nobody reads at run time. */
export type Document<Variables, Data> = {
  readonly text: string
  readonly types?: [Variables, Data]
}

/** Runs a document. A field that failed fails the whole: half an answer is not shown as one. */
export async function ask<Variables, Data>(
  client: Client,
  document: Document<Variables, Data>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  const { data } = await call<{ readonly data: Data }>(client, '/api/graphql', {
    method: 'POST',
    body: { query: document.text, variables },
    ...{ signal },
  })
  return data
}
