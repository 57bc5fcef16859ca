import { findPlace, type Module, moduleFolder, modules, tablePrefix } from './modules.ts'
import { readStrings } from './tree/syntax.ts'
import {
  type Check,
  type Files,
  type Finding,
  findAll,
  lineAt,
  matching,
  shippedSources,
} from './tree/tree.ts'

const migrationFolder = /^server\/src\/foundation\/database\/migrations\//
const created = /\bcreate table (?:if not exists )?(\w+)/g
const changed = new RegExp(
  '^[^-\\n]*?\\b(?:create table(?: if not exists)?|alter table(?: if exists)?|insert into|update' +
    '|delete from|drop table(?: if exists)?|create (?:unique )?index\\b[^(;]*?\\bon) (\\w+)',
  'gm',
)
const statement =
  /^\s*(select\s[^;]*\sfrom\s|insert into\s|update\s\S+\sset\s|delete from\s|with\s\w+\sas\s)/
const beginsLike = /^\s*(select|insert|update|delete|with|create|alter|begin|commit)\s/i

/** Every table that our own SQL creates: in migrations, and the migrator's own; not a test's. */
function findTables(files: Files): string[] {
  const sources = matching(files, /^server\/src\/foundation\/database\/.*(?<!\.test)\.(sql|ts)$/)
  return sources.flatMap(([, text]) => [...text.matchAll(created)].map((match) => match[1] ?? ''))
}

function findOwner(table: string): Module | undefined {
  return modules.find((module) => table.startsWith(tablePrefix(module)))
}

/**
 * Returns whether a module keeps its SQL in this file: one file, or a folder of them. The database
 * module is all SQL.
 */
function isStore(file: string, owner: Module): boolean {
  const folder = moduleFolder(owner)
  if (owner.name === 'database') return file.startsWith(folder)
  return file === `${folder}store.ts` || file.startsWith(`${folder}store/`)
}

/** A table is named only by the store of the module that it is named for. */
export const tablesBelongToTheirStore: Check = (files) => {
  const tables = findTables(files)
  if (tables.length === 0) return []
  const anyTable = new RegExp(`\\b(${tables.join('|')})\\b`, 'g')
  return shippedSources(files).flatMap(([file, text]) =>
    readStrings(file, text).flatMap(({ value, start }) =>
      [...value.matchAll(anyTable)].flatMap((match) => {
        const owner = findOwner(match[0])
        if (owner !== undefined && isStore(file, owner)) return []
        const line = lineAt(text, start + match.index)
        return [{ file, line, message: `${match[0]} belongs to the store of ${owner?.name}` }]
      }),
    ),
  )
}

/** SQL stands in a store, also where the name of its table is put together. */
export const sqlStandsInStores: Check = (files) =>
  shippedSources(files).flatMap(([file, text]) => {
    const place = findPlace(file)
    if (place.kind === 'module' && isStore(file, place.module)) return []
    return readStrings(file, text)
      .filter(({ value }) => statement.test(value))
      .map(({ start }) => ({ file, line: lineAt(text, start), message: 'SQL outside a store' }))
  })

/** SQL is source: keywords in lower case, columns listed. */
export const sqlIsSource: Check = (files) => [
  ...matching(files, migrationFolder).flatMap(([file, text]) =>
    badSql(file, withoutComments(text), 0, text),
  ),
  ...shippedSources(files).flatMap(([file, text]) =>
    readStrings(file, text)
      .filter(({ value }) => beginsLike.test(value) && isSql(file, value))
      .flatMap(({ value, start }) => badSql(file, withoutComments(value), start, text)),
  ),
]

function isSql(file: string, value: string): boolean {
  const place = findPlace(file)
  if (place.kind === 'module' && isStore(file, place.module)) return true
  return statement.test(value.toLowerCase())
}

/** Comments become blanks, so that offsets still count. */
function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
}

const notPortable = 'not portable SQL'
/**
 * Statements for the embedded engine alone, which is always this PostgreSQL; and the lock of the
 * tables in use, without which a server of the family is used all the same.
 */
const mayUseLocks = /^server\/src\/foundation\/database\/(embedded\/|table-use\.ts$)/

const sqlFaults: readonly [RegExp, string][] = [
  [
    /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|FROM|WHERE|VALUES)\b/,
    'SQL keywords in lower case',
  ],
  [/\b(select|returning)\s+(\w+\.)?\*/, 'list the columns'],
  [/\b(xid8|pg_(try_)?advisory\w*|create (or replace )?trigger)\b/, notPortable],
]

function badSql(file: string, sql: string, start: number, text: string): Finding[] {
  const faults = sqlFaults.filter(([, message]) => {
    return message !== notPortable || !mayUseLocks.test(file)
  })
  return faults.flatMap(([pattern, message]) =>
    [...sql.matchAll(new RegExp(pattern, 'g'))].map((match) => ({
      file,
      line: lineAt(text, start + match.index),
      message: `${message}: ${match[0]}`,
    })),
  )
}

/** A migration carries a number, its module's name, and touches that module's tables only. */
export const migrationsKeepToTheirModule: Check = (files) => {
  const seen = new Map<string, string>()
  return matching(files, migrationFolder).flatMap(([file, text]) => {
    const [, number = '', name = ''] = /\/(\d{4})_([a-z_]+)\.sql$/.exec(file) ?? []
    const module = modules.find((one) => tablePrefix(one) === `${name}_`)
    if (module === undefined) {
      return [{ file, line: 1, message: 'a migration is named NNNN_module.sql' }]
    }
    const other = seen.get(number)
    seen.set(number, file)
    const foreign = findAll(file, text, changed, ([, table]) => `${table} is not ${name}’s`)
    const prefix = tablePrefix(module)
    return [
      ...(other === undefined ? [] : [{ file, line: 1, message: `${other} has this number` }]),
      ...foreign.filter(({ message }) => !message.startsWith(prefix)),
    ]
  })
}
