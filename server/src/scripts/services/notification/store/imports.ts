import { int8Array, type Transaction, textArray } from '../../../../foundation/database/index.ts'
import type { Binding } from '../bindings/binding.ts'
import { type BindingRow, bindingColumns, bindingFromRow } from './bindings.ts'

type Placed = Pick<Binding, 'sid' | 'serviceSid' | 'endpoint'>

/**
 * The bindings that have the endpoints, or the sids, of these. Each is looked up by itself, and by
 * the index that is in its order: a plan that was made while the table was small is kept while it
 * grows.
 */
export async function readExisting(
  transaction: Transaction,
  solutionId: string,
  bindings: readonly Placed[],
): Promise<Binding[]> {
  await transaction.run('set local enable_seqscan = off')
  const rows = await transaction.rows<BindingRow>(
    `select ${bindingColumns} from unnest($2::text[]) as w (w_sid)
     cross join lateral (
       select ${bindingColumns} from notification_binding
       where solution_id = $1 and sid = w.w_sid limit 1) b
     union
     select ${bindingColumns} from unnest($3::text[], $4::text[]) as w (w_service, w_endpoint)
     cross join lateral (
       select ${bindingColumns} from notification_binding
       where solution_id = $1 and service_sid = w.w_service and endpoint >= w.w_endpoint
       order by endpoint limit 1) b
     where b.endpoint = w.w_endpoint`,
    [
      solutionId,
      textArray(bindings.map(({ sid }) => sid)),
      textArray(bindings.map(({ serviceSid }) => serviceSid)),
      textArray(bindings.map(({ endpoint }) => endpoint)),
    ],
  )
  return rows.map(bindingFromRow)
}

/** Stores bindings with their own times. @returns how many are new. */
export async function upsertBindings(
  transaction: Transaction,
  { businessId, solutionId }: { readonly businessId: string; readonly solutionId: string },
  bindings: readonly Omit<Binding, 'number' | 'sentAt'>[],
): Promise<number> {
  const texts = [
    bindings.map(({ sid }) => sid),
    bindings.map(({ serviceSid }) => serviceSid),
    bindings.map(({ endpoint }) => endpoint),
    bindings.map(({ identity }) => identity),
    bindings.map(({ channel }) => channel),
    bindings.map(({ address }) => address),
    bindings.map(({ tags }) => JSON.stringify(tags)),
    bindings.map(({ credentialSid }) => credentialSid ?? null),
    bindings.map(({ protocolVersion }) => protocolVersion ?? null),
  ]
  const times = [
    bindings.map(({ createdAt }) => createdAt),
    bindings.map(({ updatedAt }) => updatedAt),
  ]
  const rows = await transaction.rows<{ added: boolean }>(
    `insert into notification_binding (solution_id, business_id, sid, service_sid, endpoint,
       identity, channel, address, tags, credential_sid, protocol_version, created_at, updated_at)
     select $1, $2, r.sid, r.service_sid, r.endpoint, r.identity, r.channel, r.address,
       array(select jsonb_array_elements_text(r.tags::jsonb)), r.credential_sid,
       r.protocol_version, r.created_at, r.updated_at
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::text[], $11::text[], $12::bigint[], $13::bigint[])
       as r (sid, service_sid, endpoint, identity, channel, address, tags, credential_sid,
         protocol_version, created_at, updated_at)
     on conflict (solution_id, service_sid, endpoint) do update
     set sid = excluded.sid, identity = excluded.identity, channel = excluded.channel,
       address = excluded.address, tags = excluded.tags,
       credential_sid = excluded.credential_sid, protocol_version = excluded.protocol_version,
       created_at = excluded.created_at, updated_at = excluded.updated_at,
       sent_at = case when notification_binding.address = excluded.address
         then notification_binding.sent_at end
     returning xmax = 0 as added`,
    [
      solutionId,
      businessId,
      ...texts.map((one) => textArray(one)),
      ...times.map((one) => int8Array(one)),
    ],
  )
  return rows.filter(({ added }) => added).length
}
