import { type Client, call } from './call.ts'

export type Solution = { readonly id: string; readonly name: string }

/** Messages of channels without a provider. */
export type Arrival = {
  readonly notification_sid: string
  readonly binding_sid: string
  readonly channel: string
  readonly address: string
  /** Microseconds since 1970. */
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly unit: string
  readonly size: number
  readonly max: number
}

/** By their ids. Needs `Setup`. */
export async function listSolutions(client: Client, signal?: AbortSignal): Promise<Solution[]> {
  const { solutions } = await call<{ readonly solutions: Solution[] }>(client, '/api:1/solution', {
    signal,
  })
  return solutions
}

/** The newest of a solution, newest first. Needs `Setup`. */
export async function listArrivals(
  client: Client,
  solutionId: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Arrival[]> {
  const path = `/api:1/solution/${encodeURIComponent(solutionId)}/notifications/sink`
  const { arrived } = await call<{ readonly arrived: Arrival[] }>(
    client,
    `${path}?limit=${limit}`,
    {
      signal,
    },
  )
  return arrived
}
