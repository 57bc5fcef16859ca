import { test } from 'node:test'
import {
  migrationsKeepToTheirModule,
  sqlIsSource,
  sqlStandsInStores,
  tablesBelongToTheirStore,
} from './tables.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

const migrations = 'server/src/foundation/database/migrations'
const schema = {
  [`${migrations}/0002_accounts.sql`]: [
    'create table accounts_user (',
    '  id text primary key',
    ');',
  ],
  'server/src/foundation/database/migrate/migrate.ts':
    "run('create table if not exists database_lock (id smallint)')",
  'server/src/foundation/database/engine.test.ts': "run('create table t as select 7 as n')",
}

test('a table named outside its store is found, also inside a template', () => {
  assertFinds(
    tablesBelongToTheirStore,
    {
      ...schema,
      'server/src/insight/assets/store.ts': [
        'const a = `',
        '  select id',
        '  from accounts_user',
        '  where id = $1`',
      ],
      'server/src/people/accounts/users.ts': "const b = 'select id from accounts_user'",
      'server/src/platform/cli/look.ts': "const c = 'select id from database_lock'",
    },
    'server/src/people/accounts/users.ts:1 accounts_user belongs to the store of accounts',
    'server/src/insight/assets/store.ts:3 accounts_user belongs to the store of accounts',
    'server/src/platform/cli/look.ts:1 database_lock belongs to the store of database',
  )
})

test('a table in its own store, in a comment, or as part of another word is clean', () => {
  assertClean(tablesBelongToTheirStore, {
    ...schema,
    'server/src/people/accounts/store.ts': "const a = 'select id from accounts_user'",
    'server/src/people/accounts/store/users.ts': 'const a = `select id from accounts_user`',
    'server/src/insight/assets/store.ts': [
      '// Not accounts_user: asking accounts is the way.',
      "const index = 'accounts_user_email'",
      "const free = 'select id from accounts_nothing'",
    ],
    'server/src/people/accounts/users.test.ts': "const a = 'select id from accounts_user'",
  })
})

test('SQL outside a store is found even where its table is put together', () => {
  const file = 'server/src/people/accounts/users.ts'
  assertFinds(
    sqlStandsInStores,
    {
      [file]: [
        '// The table is chosen by the caller.',
        `const a = \`insert into \${table} (id) values ($1)\``,
        "const b = 'delete from x where id = $1'",
        `const c = \`update \${table} set id = $1\``,
      ],
    },
    `${file}:2 SQL outside a store`,
    `${file}:3 SQL outside a store`,
    `${file}:4 SQL outside a store`,
  )
})

test('SQL in a store, and sentences that only sound like it, are clean', () => {
  assertClean(sqlStandsInStores, {
    'server/src/people/accounts/store.ts': "const a = 'delete from accounts_user where id = $1'",
    'server/src/foundation/database/migrate/migrate.ts':
      "const a = 'select name from database_migration'",
    'server/src/people/accounts/users.ts': "const a = 'Select a role from the list.'",
  })
})

test('SQL that hides its columns, shouts, or is not portable is found', () => {
  assertFinds(
    sqlIsSource,
    {
      [`${migrations}/0004_assets.sql`]: [
        '-- SELECT * in a comment is prose',
        'create trigger assets_touch before update on assets_asset;',
      ],
      'server/src/people/accounts/store.ts': [
        "const a = 'select * from accounts_user'",
        "const b = 'SELECT id from accounts_user'",
        'const c = `',
        '  insert into accounts_user (id) values ($1)',
        '  returning *`',
        "const d = 'select pg_advisory_xact_lock(1)'",
      ],
    },
    `${migrations}/0004_assets.sql:2 not portable SQL: create trigger`,
    'server/src/people/accounts/store.ts:1 list the columns: select *',
    'server/src/people/accounts/store.ts:2 SQL keywords in lower case: SELECT',
    'server/src/people/accounts/store.ts:5 list the columns: returning *',
    'server/src/people/accounts/store.ts:6 not portable SQL: pg_advisory_xact_lock',
  )
})

test('plain SQL, a count of rows, and upper-case prose are clean', () => {
  assertClean(sqlIsSource, {
    [`${migrations}/0002_accounts.sql`]: "insert into accounts_role (name) values ('Viewer');",
    'server/src/people/accounts/store.ts': [
      "const a = 'select count(*) as users, a.id from accounts_user a'",
      "const b = 'the COMMIT FROM the server was lost'",
    ],
    'server/src/foundation/database/embedded/a.ts': ["const a = 'select pg_try_advisory_lock(1)'"],
  })
})

test('a migration with a wrong name, a taken number or a foreign table is found', () => {
  assertFinds(
    migrationsKeepToTheirModule,
    {
      [`${migrations}/4_assets.sql`]: '',
      [`${migrations}/0002_accounts.sql`]: [
        '-- create table assets_free (id text): prose',
        'create table accounts_user (id text primary key);',
        'create table if not exists assets_asset (id text primary key);',
        'create unique index accounts_name',
        '  on accounts_user (name);',
        'create index assets_name on assets_asset (name);',
        'insert into eventlog_partition (part) values (4);',
      ],
      [`${migrations}/0002_assets.sql`]: 'create table assets_asset (id text primary key);',
      [`${migrations}/0003_billing.sql`]: '',
    },
    `${migrations}/0002_accounts.sql:3 assets_asset is not accounts’s`,
    `${migrations}/0002_accounts.sql:6 assets_asset is not accounts’s`,
    `${migrations}/0002_accounts.sql:7 eventlog_partition is not accounts’s`,
    `${migrations}/0002_assets.sql:1 ${migrations}/0002_accounts.sql has this number`,
    `${migrations}/0003_billing.sql:1 a migration is named NNNN_module.sql`,
    `${migrations}/4_assets.sql:1 a migration is named NNNN_module.sql`,
  )
})

test('migrations that keep to their module are clean', () => {
  assertClean(migrationsKeepToTheirModule, {
    ...schema,
    [`${migrations}/0003_keystore.sql`]: 'create table keystore_value (id text primary key);',
    [`${migrations}/0004_accounts.sql`]: 'alter table accounts_user add column name text;',
  })
})
