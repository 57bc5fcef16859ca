import { checkValue, type Provisioning, storedValue } from '../../devices/provisioning/index.ts'
import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  createSettingsParser,
  type FailureKey,
  Fault,
  limits,
  RecordOf,
  StrictObject,
  Type,
} from '../../foundation/kernel/index.ts'
import {
  type Entry,
  type EntryFailure,
  type EventLog,
  failureId,
  type LoggedEntry,
  reportedPoints,
  type WritePoint,
} from '../../log/eventlog/index.ts'
import { requireWhole } from '../../people/groups/index.ts'
import type { Asker, FailureStage, StageFailure, StageFailures } from './types.ts'

export type EntriesOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'failures' | 'appendIn'>
  readonly provisioning: Pick<Provisioning, 'connectors'>
  readonly clock: Pick<Clock, 'nowUs'>
}

/** The form in which the values of a device are shown and corrected. */
const createPayloadSchema = () =>
  StrictObject({
    payload: Type.Array(
      StrictObject({
        timestamp: Type.Integer({ minimum: 0 }),
        values: RecordOf(Type.String()),
      }),
      { minItems: 1, maxItems: limits.pageMax },
    ),
  })
const parsePayload = createSettingsParser(createPayloadSchema, 'input')

/**
 * The entries that a consumer of the log could not handle. To send it again is to write the message
 * again: it becomes a new entry, with the times that it had, and passes all stages as any message
 * does.
 */
export function entryFailures(options: EntriesOptions, stage: FailureStage): StageFailures {
  const { database, eventlog } = options
  const { failures } = eventlog

  async function found({ view }: Asker, id: string) {
    const failure =
      view.groups === 'all' ? await failures.find(view.businessId, stage, id) : undefined
    if (failure === undefined) throw missing()
    return { failure, entry: (await failures.readEntries([failure])).get(id) }
  }

  return {
    async list({ view }, before, limit) {
      if (view.groups !== 'all') return []
      const page = await failures.list(view.businessId, stage, before, limit)
      const entries = await failures.readEntries(page)
      return page.map((one) => shown(stage, one, entries.get(failureId(one))))
    },
    count: (businessId, most) => failures.count(businessId, stage, most),
    async get(asker, id) {
      const { failure, entry } = await found(asker, id)
      return shown(stage, failure, entry)
    },
    async retry(asker, id, input) {
      const { entry } = await found(asker, id)
      const again = await repeatEntry(options, entry, input)
      if (!(await sendAgain(options, asker, { stage, id, again }))) throw missing()
    },
    retryAll: (asker) => retryAll(options, asker, stage),
    async discard({ view: { businessId, groups } }, id) {
      const settled =
        groups === 'all' &&
        (await database.transaction((held) => failures.settle(held, businessId, stage, id))) > 0
      if (!settled) throw missing()
    },
    async discardAll(asker) {
      requireWhole(asker.view, 'This, for all at once,')
      const { businessId } = asker.view
      return database.transaction((held) => failures.settle(held, businessId, stage))
    },
  }
}

/** @returns false if somebody else was faster. */
function sendAgain(
  { database, eventlog }: EntriesOptions,
  { view: { businessId } }: Asker,
  { stage, id, again }: { readonly stage: string; readonly id: string; readonly again: Entry },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const settled = await eventlog.failures.settle(transaction, businessId, stage, id)
    if (settled > 0) await eventlog.appendIn(transaction, [again])
    return settled > 0
  })
}

async function retryAll(
  options: EntriesOptions,
  asker: Asker,
  stage: FailureStage,
): Promise<number> {
  requireWhole(asker.view, 'This, for all at once,')
  let sent = 0
  const { failures } = options.eventlog
  const failed = await oldestFirst(failures, asker.view.businessId, stage)
  for (let at = 0; at < failed.length; at += limits.pageMax) {
    const some = failed.slice(at, at + limits.pageMax)
    const entries = await failures.readEntries(some)
    for (const id of some.map(failureId)) {
      const entry = entries.get(id)
      if (findFinal(entry) !== null) continue
      const again = await repeatEntry(options, entry, undefined)
      if (await sendAgain(options, asker, { stage, id, again })) sent += 1
    }
  }
  return sent
}

async function oldestFirst(
  failures: EventLog['failures'],
  businessId: string,
  stage: FailureStage,
): Promise<EntryFailure[]> {
  const found: EntryFailure[] = []
  for (let before: FailureKey | undefined; ; ) {
    const page = await failures.list(businessId, stage, before, limits.pageMax)
    const last = page.at(-1)
    if (last === undefined) return found.reverse()
    found.push(...page)
    before = { failedAtUs: last.failedAt, id: failureId(last) }
  }
}

function shown(stage: FailureStage, failure: EntryFailure, entry?: LoggedEntry): StageFailure {
  const { connectorId: connector, identity: device, reason, failedAt } = failure
  return {
    stage,
    id: failureId(failure),
    about: entry?.kind === 'values' ? { asset: device } : { connector, device },
    code: null,
    reason,
    input: entry === undefined ? null : toInput(entry),
    final: findFinal(entry),
    tries: 1,
    trackingId: null,
    createdAt: entry?.at ?? null,
    failedAt,
  }
}

/** Returns the part of a write that a person may correct; of other entries all. */
function toInput({ kind, body }: LoggedEntry): unknown {
  return kind === 'write' || kind === 'set' ? { payload: body.payload } : body
}

function findFinal(entry: LoggedEntry | undefined): string | null {
  if (entry === undefined) return 'The log does not have the message any more.'
  const isSent = entry.kind === 'values' || reportedPoints(entry).length > 0
  return isSent ? null : 'It is no message of values, so it cannot be sent again.'
}

/** The entry as it is written again. @throws Fault invalid_argument, value_refused */
async function repeatEntry(
  { provisioning, clock }: EntriesOptions,
  entry: LoggedEntry | undefined,
  input: { readonly value: unknown } | undefined,
): Promise<Entry> {
  const final = findFinal(entry)
  if (entry === undefined || final !== null) throw new Fault('invalid_argument', final ?? '')
  const { businessId, connectorId, identity } = entry
  const where = { businessId, connectorId, identity, at: clock.nowUs() }
  if (entry.kind === 'values' && input === undefined) {
    return { ...where, kind: entry.kind, body: entry.body }
  }
  if (entry.kind !== 'write' && entry.kind !== 'set') {
    throw new Fault('invalid_argument', 'Only values of a device can be corrected.')
  }
  if (input === undefined) return { ...where, kind: entry.kind, body: entry.body }
  const { resources } = await provisioning.connectors.get(businessId, connectorId)
  const { payload } = parsePayload(input.value)
  const checked = payload.map(({ timestamp, values }): WritePoint => {
    const fields = Object.entries(values).map(([alias, text]) => {
      const resource = resources.get(alias)
      if (resource === undefined) {
        throw new Fault('invalid_argument', `The connector has no resource ${alias}.`)
      }
      const refusal = checkValue(resource, text)
      if (refusal !== undefined) throw new Fault('value_refused', `${alias}: ${refusal}`)
      return [alias, storedValue(resource, text)] as const
    })
    return { timestamp, values: Object.fromEntries(fields) }
  })
  const { unknown: _unknown, ...body } = entry.body
  return { ...where, kind: entry.kind, body: { ...body, payload: checked } }
}

function missing(): Fault {
  return new Fault('not_found', 'No failed message has this id.')
}
