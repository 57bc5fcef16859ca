import {
  type BusinessRows,
  type Queryable,
  readDependants,
  rowsByIndex,
} from '../../foundation/database/index.ts'
import type { Dependants } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { NewReport, Report } from './report.ts'

const columns = `
  id, business_id as "businessId", made_by as "madeBy", groups, query, format, state, reason,
  filename, rows, bytes, created_at as "createdAt", updated_at as "updatedAt",
  expires_at as "expiresAt"`

type Row = Omit<Report, 'query'> & { groups: string | null; query: string }

/** A report as it is stored, with what its maker sees; what the clock says is not in its state. */
export type StoredReport = Report & { readonly view: View }

function toReport({ groups, query, ...row }: Row): StoredReport {
  const seen = groups === null ? 'all' : (JSON.parse(groups) as string[])
  const view: View = { businessId: row.businessId, groups: seen }
  return { ...row, query: JSON.parse(query) as NewReport, view }
}

const insertReport = `
insert into reports_report (business_id, id, made_by, groups, query, format, state, filename,
  created_at, updated_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`

export async function addReport(queryable: Queryable, report: StoredReport): Promise<void> {
  const { businessId, id, madeBy, view, query, format, state, filename } = report
  const groups = view.groups === 'all' ? null : JSON.stringify(view.groups)
  const words = [businessId, id, madeBy, groups, JSON.stringify(query), format, state, filename]
  await queryable.run(insertReport, [...words, report.createdAt, report.expiresAt])
}

const countReports = 'select count(*) as count from reports_report where business_id = $1'

export async function reportCount(queryable: Queryable, businessId: string): Promise<number> {
  return (await queryable.one<{ count: number }>(countReports, [businessId]))?.count ?? 0
}

/** The reports of one maker; of all makers where it is null. */
const ofMaker = 'business_id = $1 and ($2::text is null or made_by = $2)'

export async function findReport(
  queryable: Queryable,
  businessId: string,
  by: string | null,
  id: string,
): Promise<StoredReport | undefined> {
  const text = `select ${columns} from reports_report where ${ofMaker} and id = $3`
  const row = await queryable.one<Row>(text, [businessId, by, id])
  return row === undefined ? undefined : toReport(row)
}

export async function reportPage(
  queryable: Queryable,
  businessId: string,
  by: string | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredReport[]> {
  const text = `
    select ${columns} from reports_report where ${ofMaker}
    order by number desc limit $3 offset $4`
  return (await queryable.rows<Row>(text, [businessId, by, limit, offset])).map(toReport)
}

const selectData = 'select data from reports_report where business_id = $1 and id = $2'

export async function readData(queryable: Queryable, businessId: string, id: string) {
  return (await queryable.one<{ data: Buffer | null }>(selectData, [businessId, id]))?.data
}

const updateMade = `
update reports_report set state = 'completed', rows = $3, bytes = $4, data = $5, updated_at = $6,
  expires_at = $7
where business_id = $1 and id = $2 and state = 'waiting'`

export type MadeReport = { readonly rows: number; readonly data: Buffer }

/** Nothing if the report was removed meanwhile. */
export function keepMade(
  queryable: Queryable,
  { businessId, id }: Pick<Report, 'businessId' | 'id'>,
  { rows, data }: MadeReport,
  times: { readonly nowUs: number; readonly expiresAt: number },
): Promise<number> {
  const { nowUs, expiresAt } = times
  return queryable.run(updateMade, [businessId, id, rows, data.length, data, nowUs, expiresAt])
}

const updateFailed = `
update reports_report set state = 'failed', reason = $3, updated_at = $4
where business_id = $1 and id = $2 and state = 'waiting'`

export function keepFailed(
  queryable: Queryable,
  { businessId, id }: Pick<Report, 'businessId' | 'id'>,
  reason: string,
  nowUs: number,
): Promise<number> {
  return queryable.run(updateFailed, [businessId, id, reason, nowUs])
}

const deleteReport = 'delete from reports_report where business_id = $1 and id = $2'

export function dropReport(queryable: Queryable, businessId: string, id: string) {
  return queryable.run(deleteReport, [businessId, id])
}

const deleteExpired = 'delete from reports_report where expires_at < $1'

export function dropUntil(queryable: Queryable, us: number): Promise<number> {
  return queryable.run(deleteExpired, [us])
}

/** Everything of a business. */
export const reportRows: BusinessRows = rowsByIndex('reports_report')

export function reportDependants(queryable: Queryable, businessId: string): Promise<Dependants[]> {
  const from = 'reports_report where business_id = $1'
  const asked = { effect: 'deleted', values: [businessId] } as const
  return readDependants(queryable, asked, [{ kind: 'reports', from, name: 'filename' }])
}
