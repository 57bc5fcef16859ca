import {
  type Queryable,
  searchPattern,
  type Transaction,
} from '../../../foundation/database/index.ts'
import type { SolutionSettings } from '../registry/solution.ts'
import type { Solution } from '../schema.ts'

type Row = {
  id: string
  business_id: string
  name: string
  description: string
  version: number
  limits: Solution['limits']
  reuse_vm: boolean
  created_at: number
  updated_at: number
}

const columns =
  'id, business_id, name, description, version, limits, reuse_vm, created_at, updated_at'

function fromRow(row: Row): Solution {
  return {
    id: row.id,
    businessId: row.business_id,
    name: row.name,
    description: row.description,
    version: row.version,
    limits: row.limits,
    reuseVm: row.reuse_vm,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function countSolutions(queryable: Queryable, businessId: string): Promise<number> {
  const row = await queryable.one<{ count: number }>(
    'select count(*) as count from scripting_solution where business_id = $1',
    [businessId],
  )
  return row?.count ?? 0
}

/** @returns false where the id is in use, here or elsewhere. */
export async function insertSolution(
  transaction: Transaction,
  businessId: string,
  solution: Omit<Solution, 'businessId' | 'version' | 'updatedAt'>,
): Promise<boolean> {
  const { id, name, description, limits, reuseVm, createdAt } = solution
  const inserted = await transaction.run(
    `insert into scripting_solution
      (id, business_id, name, description, version, limits, created_at, updated_at, reuse_vm)
    values ($2, $1, $3, $4, 1, $5, $6, $6, $7) on conflict (id) do nothing`,
    [businessId, id, name, description, JSON.stringify(limits), createdAt, reuseVm],
  )
  return inserted === 1
}

export async function readSolution(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<Solution | undefined> {
  const text = `select ${columns} from scripting_solution where business_id = $1 and id = $2`
  const row = await queryable.one<Row>(text, [businessId, id])
  return row && fromRow(row)
}

/** Reads the business of a solution; solutions of all businesses have their ids from one pool. */
export async function readBusiness(queryable: Queryable, id: string): Promise<string | undefined> {
  const text = 'select business_id from scripting_solution where id = $1'
  return (await queryable.one<{ business_id: string }>(text, [id]))?.business_id
}

/** The businesses of all solutions, by their ids. */
export async function readBusinesses(queryable: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await queryable.rows<{ id: string; business_id: string }>(
    'select id, business_id from scripting_solution',
  )
  return new Map(rows.map((row) => [row.id, row.business_id]))
}

/** Solutions that have what is given. */
export type SolutionQuery = {
  /** Letters of the id or the name, in any case. */
  readonly text?: string | undefined
  /** The most of them. */
  readonly limit?: number | undefined
}

const selectSolutions = `
  select ${columns} from scripting_solution
  where business_id = $1 and ($2::text is null or id ilike $2::text or name ilike $2::text)
  order by number
  limit $3::bigint`

/** In the order in which they were made. */
export async function readSolutions(
  queryable: Queryable,
  businessId: string,
  { text, limit }: SolutionQuery = {},
): Promise<Solution[]> {
  const pattern = text === undefined ? null : searchPattern(text)
  const values = [businessId, pattern, limit ?? null]
  return (await queryable.rows<Row>(selectSolutions, values)).map(fromRow)
}

export async function readVersion(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<number | undefined> {
  const text = 'select version from scripting_solution where business_id = $1 and id = $2'
  return (await queryable.one<{ version: number }>(text, [businessId, id]))?.version
}

/** Holds the solution until the transaction ends; undefined where it is gone. */
export async function lockSolution(
  transaction: Transaction,
  businessId: string,
  id: string,
): Promise<Solution | undefined> {
  const text = `
    select ${columns} from scripting_solution where business_id = $1 and id = $2 for update`
  const row = await transaction.one<Row>(text, [businessId, id])
  return row && fromRow(row)
}

/** Counts a change of what its machine is built from. */
export async function raiseVersion(
  transaction: Transaction,
  businessId: string,
  id: string,
  at: number,
): Promise<void> {
  await transaction.run(
    `update scripting_solution set version = version + 1, updated_at = $3
    where business_id = $1 and id = $2`,
    [businessId, id, at],
  )
}

export async function updateSolution(
  transaction: Transaction,
  businessId: string,
  { id, name, description, limits, reuseVm }: SolutionSettings & { id: string },
): Promise<void> {
  await transaction.run(
    `update scripting_solution
    set name = $3, description = $4, limits = $5, reuse_vm = $6
    where business_id = $1 and id = $2`,
    [businessId, id, name, description, JSON.stringify(limits), reuseVm],
  )
}

/** The content of its murano.yaml; null if it has none. */
export async function readProject(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<Project> {
  const text = 'select project from scripting_solution where business_id = $1 and id = $2'
  return (await queryable.one<{ project: Project }>(text, [businessId, id]))?.project ?? null
}

export async function writeProject(
  transaction: Transaction,
  businessId: string,
  id: string,
  project: Project,
): Promise<void> {
  await transaction.run(
    'update scripting_solution set project = $3 where business_id = $1 and id = $2',
    [businessId, id, project === null ? null : JSON.stringify(project)],
  )
}

type Project = Readonly<Record<string, unknown>> | null

/** With its scripts and its configurations. */
export async function deleteSolution(
  transaction: Transaction,
  businessId: string,
  id: string,
): Promise<void> {
  await transaction.run('delete from scripting_solution where business_id = $1 and id = $2', [
    businessId,
    id,
  ])
}
