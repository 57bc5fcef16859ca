import { int8Array, type Transaction } from '../../../foundation/database/index.ts'

/** A signal of which it is looked whether it is silent. */
export type WatchedSignal = {
  readonly key: number
  readonly businessId: string
  readonly assetId: string
  readonly signalId: string
  readonly timeoutMs: number | null
  /** The time of the last value of the silence that was recorded; null if none was. */
  readonly silentFrom: number | null
  /** Null if it never had a value. */
  readonly lastTs: number | null
}

/** The result of a look at a signal. */
export type Look = {
  readonly signal: WatchedSignal
  readonly isSilent: boolean
  /** When it fell silent, or when it spoke again. */
  readonly ts: number
  /** When to look next; null: never. */
  readonly nextUs: number | null
}

// The asset stays until the transaction ends. Nothing is waited for: what another transaction
// holds is looked at the next time.
const selectDue = `
select s.key, s.business_id as "businessId", s.asset_id as "assetId", s.id as "signalId",
  s.timeout_ms as "timeoutMs", s.silent_from as "silentFrom",
  (select l.ts from assets_latest l where l.signal_key = s.key) as "lastTs"
from assets_signal s
join assets_asset a on a.business_id = s.business_id and a.id = s.asset_id
where s.look_at <= $1
order by s.look_at
limit $2
for no key update of s skip locked
for key share of a skip locked`

/** Takes signals at which it is time to look, for the transaction. */
export function takeDueLooks(transaction: Transaction, nowUs: number, count: number) {
  return transaction.rows<WatchedSignal>(selectDue, [nowUs, count])
}

const updateLooks = `
update assets_signal s set look_at = n.look_at, silent_from = n.silent_from
from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as n (key, look_at, silent_from)
where s.key = n.key`

export async function keepLooks(transaction: Transaction, looks: readonly Look[]): Promise<void> {
  if (looks.length === 0) return
  await transaction.run(updateLooks, [
    int8Array(looks.map(({ signal }) => signal.key)),
    int8Array(looks.map(({ nextUs }) => nextUs)),
    int8Array(looks.map(({ signal, isSilent }) => (isSilent ? signal.lastTs : null))),
  ])
}
