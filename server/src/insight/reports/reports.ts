import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  checkedPage,
  checkedText,
  Fault,
  invalid,
  isTimeZone,
  limits,
  newUuid,
  type Random,
  refuseUnit,
  toFault,
} from '../../foundation/kernel/index.ts'
import type { Job, JobOutcome, JobQueue, Jobs } from '../../log/jobs/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { Assets, Signal } from '../assets/index.ts'
import { makeContent, mediaTypes } from './content.ts'
import { createContentUrls, type Sealing } from './content-urls.ts'
import {
  type NewReport,
  type Report,
  type ReportContent,
  type ReportSignal,
  type Reports,
  reportFormats,
} from './report.ts'
import {
  addReport,
  dropReport,
  dropUntil,
  findReport,
  keepFailed,
  keepMade,
  type MadeReport,
  readData,
  reportCount,
  reportPage,
  type StoredReport,
} from './store.ts'

/** Signals of one report. */
const reportSignalsMax = 100
/** Reports that are kept of one business. */
const reportsMax = 1_000
/** Reports that a process makes at once. */
const reportRunsMax = 2
/** The time for which the URL of a report works, if none is asked for. */
const reportUrlSeconds = 600

export type ReportsOptions = {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'queue'>
  readonly assets: Pick<Assets, 'some' | 'signals' | 'histories'>
  readonly secrets: Sealing
  readonly publicUrl: string
  readonly clock: Clock
  readonly random: Random
}

type ReportInput = { readonly reportId: string }

const usPerHour = 3_600_000_000

export function createReports(options: ReportsOptions): Reports {
  const { database, clock } = options
  const queue = createQueue(options)
  const urls = createContentUrls(options)

  async function require(view: View, by: string, id: string): Promise<StoredReport> {
    return present(await findReport(database, view.businessId, makerFilter(view, by), id))
  }

  async function readContent(report: StoredReport): Promise<ReportContent> {
    const { businessId, id, filename, format } = report
    const done = shown(clock, report).state === 'completed'
    const data = done ? await readData(database, businessId, id) : null
    if (data == null) throw new Fault('not_found', 'The report has no content.')
    return { filename, type: mediaTypes[format], data: Buffer.from(data) }
  }

  return {
    async create(view, by, wanted) {
      const report = await checkedReport(options, view, by, wanted)
      const { businessId, id } = report
      await database.transaction(async (transaction) => {
        if ((await reportCount(transaction, businessId)) >= reportsMax) {
          throw invalid(`a business has at most ${reportsMax} reports`)
        }
        await addReport(transaction, report)
        const input = { reportId: id }
        await queue.enqueue(transaction, [{ businessId, tenant: businessId, id, input }])
      })
      queue.wake()
      return shown(clock, report)
    },
    get: async (view, by, id) => shown(clock, await require(view, by, id)),
    async list(view, by, page) {
      const { businessId } = view
      const found = await reportPage(database, businessId, makerFilter(view, by), checkedPage(page))
      return found.map((report) => shown(clock, report))
    },
    content: async (view, by, id) => readContent(await require(view, by, id)),
    async url(view, by, id, seconds) {
      const report = await require(view, by, id)
      if (shown(clock, report).state !== 'completed') {
        throw new Fault('not_found', 'The report has no content.')
      }
      return urls.sign(report, seconds ?? reportUrlSeconds)
    },
    async open(token) {
      const { businessId, id } = urls.open(token)
      return readContent(present(await findReport(database, businessId, null, id)))
    },
    async remove(view, by, id) {
      const report = await require(view, by, id)
      await dropReport(database, view.businessId, id)
      return shown(clock, report)
    },
    async sweep() {
      await dropUntil(database, clock.nowUs() - limits.reportHours * usPerHour)
    },
  }
}

/** Null for those who see the reports of all. */
function makerFilter({ groups }: View, by: string): string | null {
  return groups === 'all' ? null : by
}

function present(report: StoredReport | undefined): StoredReport {
  if (report === undefined) throw new Fault('not_found', 'There is no such report.')
  return report
}

/** The state that the clock decides is not stored. */
function shown(clock: Clock, { view: _, ...report }: StoredReport): Report {
  const isOver = report.state === 'completed' && report.expiresAt <= clock.nowUs()
  return isOver ? { ...report, state: 'expired' } : report
}

async function checkedReport(
  { assets, clock, random }: ReportsOptions,
  view: View,
  by: string,
  wanted: NewReport,
): Promise<StoredReport> {
  const { start, end, signals, assetNames } = wanted
  const format = wanted.format ?? 'csv'
  if (!reportFormats.includes(format)) throw invalid(`format is ${reportFormats.join(', ')}`)
  checkSeconds({ start, end })
  if (start < 0 || start >= end) throw invalid('the start of a report is before its end')
  if (signals.length === 0 || signals.length > reportSignalsMax) {
    throw invalid(`a report is of 1 to ${reportSignalsMax} signals`)
  }
  for (const { name } of signals) checkedText(name ?? '', 'a name', limits.nameCharsMax)
  if ((assetNames?.length ?? 0) > reportSignalsMax) throw invalid('too many assetNames')
  for (const name of assetNames ?? []) checkedText(name, 'a name', limits.nameCharsMax)
  checkTimezone(wanted)
  const ids = [...new Set(signals.map(({ id }) => id))]
  const found = new Map((await assets.signals.some(view, ids)).map((one) => [one.id, one]))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw new Fault('not_found', `There is no signal ${missing}.`)
  for (const signal of signals) await checkAggregate(assets, view, signal, found.get(signal.id))
  const now = clock.nowUs()
  return {
    id: newUuid(random, clock.nowMs()),
    businessId: view.businessId,
    madeBy: by,
    view,
    query: wanted,
    format,
    state: 'waiting',
    reason: null,
    filename: makeFilename(wanted, format),
    rows: 0,
    bytes: 0,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + limits.reportHours * usPerHour,
  }
}

const ofTexts: readonly string[] = ['count', 'first', 'last']

/**
 * Reads no values, which finds whether they can be read so.
 * @throws Fault invalid_argument
 */
async function checkAggregate(
  assets: ReportsOptions['assets'],
  view: View,
  { every, aggregate, unit }: ReportSignal,
  signal: Signal | undefined,
): Promise<void> {
  if (aggregate != null && every == null) throw invalid('aggregate is of intervals: give every')
  if (signal === undefined || (every == null && unit == null)) return
  const { name, primitiveType } = signal
  const isText = primitiveType === 'STRING' || primitiveType === 'JSON'
  if (every != null && isText && !ofTexts.includes(aggregate ?? 'avg')) {
    throw invalid(`${name}: of texts and JSON there are ${ofTexts.join(', ')} only`)
  }
  await assets.histories(view, [signal], { every, aggregate, unit, limit: 0 })
}

function checkSeconds(times: Pick<NewReport, 'start' | 'end'>): void {
  for (const [name, time] of Object.entries(times)) {
    const refusal = refuseUnit(time, 'seconds')
    if (refusal !== undefined) throw invalid(`${name} ${refusal}`)
  }
}

function checkTimezone({ timezone }: NewReport): void {
  const { format, offset, timeZone } = timezone ?? {}
  checkedText(format ?? '', 'a format of times', limits.nameCharsMax)
  if (offset != null && timeZone != null) throw invalid('offset and timeZone exclude one another')
  if (timeZone != null && !(timeZone.length <= limits.nameCharsMax && isTimeZone(timeZone))) {
    throw invalid('timeZone is the name of a time zone such as Asia/Kolkata, or +05:30')
  }
  if (offset == null) return
  if (Number.isInteger(offset) && offset >= -12 && offset <= 14) return
  throw invalid('offset is whole hours from -12 to 14; timeZone takes other zones')
}

/** A name for a file system: of the first asset, and of the days. */
function makeFilename({ assetNames, start, end }: NewReport, format: string): string {
  const name = (assetNames?.[0] ?? '').replaceAll(/[^A-Za-z0-9-]+/g, '-').slice(0, 60)
  const [from, to] = [start, end].map((s) => new Date(s * 1_000).toISOString().slice(0, 10))
  return `${name === '' || name === '-' ? 'report' : name}_${from}_${to}.${format}`
}

function createQueue(options: ReportsOptions): JobQueue<ReportInput, MadeReport> {
  const { database, jobs, assets, clock } = options

  async function run(
    { businessId, input }: Job<ReportInput>,
    signal: AbortSignal,
  ): Promise<JobOutcome<MadeReport, ReportInput>> {
    const report = await findReport(database, businessId, null, input.reportId)
    if (report?.state !== 'waiting') return { kind: 'cancelled' }
    try {
      return { kind: 'done', result: await makeContent(assets, report, signal) }
    } catch (error) {
      if (signal.aborted) return { kind: 'released' }
      const { code, detail: reason } = toFault(error)
      if (code === 'internal' || code === 'database_unavailable') throw error
      return { kind: 'dead', failure: { step: 'make', reason } }
    }
  }

  return jobs.queue<ReportInput, MadeReport>({
    name: 'reports',
    run,
    async settled(transaction, ended) {
      const nowUs = clock.nowUs()
      const expiresAt = nowUs + limits.reportHours * usPerHour
      for (const { job, outcome } of ended) {
        const report = { businessId: job.businessId, id: job.input.reportId }
        if (outcome.kind === 'done' && outcome.result !== undefined) {
          await keepMade(transaction, report, outcome.result, { nowUs, expiresAt })
        } else if (outcome.kind === 'dead') {
          await keepFailed(transaction, report, outcome.failure.reason, nowUs)
        }
      }
    },
    retry: { attemptsMax: 3, firstMs: 1_000, maxMs: 10_000 },
    claimedMax: reportRunsMax,
    tenantRunsMax: 1,
    tenantClaimMax: 1,
    waitingMax: reportsMax,
    overflow: { step: 'enqueue', reason: 'Too many reports wait.' },
    deadMax: reportsMax,
    deadHours: limits.reportHours,
  })
}
