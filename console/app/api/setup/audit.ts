import type { components } from '@millrace/client'
import type { Client } from '../client.ts'
import { find } from '../endpoint.ts'

/** An action that somebody did, or was refused. */
export type AuditEntry = components['schemas']['AuditEntry']

/** An entry must match all that is given; times are in milliseconds since 1970. */
export type AuditFilter = {
  readonly from?: number
  readonly to?: number
  readonly subject?: string
  readonly source?: string
  readonly action?: string
  readonly outcome?: string
  readonly text?: string
}

/** Newest first. `before`: the id of the last entry of the page before. */
export const listAudit = find('/api:1/audit', 'entries')

const pageSize = 500

/** All that match, newest first, at most `most`. */
export async function allAudit(
  client: Client,
  filter: AuditFilter,
  most: number,
): Promise<AuditEntry[]> {
  const found: AuditEntry[] = []
  while (found.length < most) {
    const limit = Math.min(pageSize, most - found.length)
    const page = await listAudit(client, { ...filter, limit, before: found.at(-1)?.id })
    found.push(...page)
    if (page.length < limit) break
  }
  return found
}
