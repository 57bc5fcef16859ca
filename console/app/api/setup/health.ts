import { type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'
import { countFailures } from '../failures.ts'

type Schemas = components['schemas']

/** The health of the instance for the business: what waits, what failed, and what ends soon. */
export type Health = Schemas['BusinessHealth'] & {
  readonly failed: Schemas['StageFailureCounts']
}

/** Needs `Setup`. */
export async function readHealth(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<Health> {
  const [health, failed] = await Promise.all([
    unwrap(client.GET('/api:1/health', { signal })),
    countFailures(client, signal),
  ])
  return { ...health, failed }
}
