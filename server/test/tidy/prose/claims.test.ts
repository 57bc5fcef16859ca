import { test } from 'node:test'
import { assertClean, assertFinds } from '../tree/assertions.ts'
import {
  namedCommandsExist,
  namedIdentifiersExist,
  namedScriptsExist,
  namedSymbolsStandInTheirFiles,
  settingsHaveRows,
} from './claims.ts'

const page = 'docs/using/page.md'

test('an identifier that the code does not have is found, one that it has is clean', () => {
  const text = '`createThing` reads `Thing.ownName`, `goneName`, `gone_name` and `plain` words.'
  const source = { 'server/src/a.ts': 'createThing(Thing.ownName)' }
  assertFinds(
    namedIdentifiersExist,
    { [page]: text, ...source },
    `${page}:1 nothing is called goneName`,
    `${page}:1 nothing is called gone_name`,
  )
  assertClean(namedIdentifiersExist, { 'docs/adr/0001-one.md': text, ...source })
  assertClean(namedIdentifiersExist, { [page]: text, '.gitignore': page, ...source })
})

test('an environment variable stands in the code, or sets a limit that does', () => {
  assertFinds(
    namedIdentifiersExist,
    {
      [page]: ['`MILLRACE_DATA=x`, `MILLRACE_GONE`', '`MILLRACE_LIMIT_TIMERS_MAX=5`'],
      'server/src/a.ts': "const limits = { timersMax: 4 }; read('MILLRACE_DATA')",
    },
    `${page}:1 nothing is called MILLRACE_GONE`,
  )
})

test('a symbol that is not in the file beside it is found', () => {
  assertFinds(
    namedSymbolsStandInTheirFiles,
    {
      [page]: ['`Shard.append` (`log/shard.ts`) and', '`Shard.gone` (`shard.ts`), `shard.ts:lost`'],
      'server/src/log/shard.ts': 'class Shard { append() {} }',
    },
    `${page}:2 shard.ts has no Shard.gone`,
    `${page}:2 shard.ts has no lost`,
  )
})

test('a script that no package has is found', () => {
  assertFinds(
    namedScriptsExist,
    {
      [page]: ['npm run bench', '`npm run gone`'],
      'package.json': ['{', '  "bench": "node"', '}'],
    },
    `${page}:2 no package has the script gone`,
  )
})

test('a command that is not in the tables is found', () => {
  assertFinds(
    namedCommandsExist,
    {
      [page]: [
        'npx millrace solution push folder, `npx millrace solution`, npx millrace backup night.bak',
        'npx millrace solution gone',
        'npx millrace lost',
      ],
      'cli/src/commands/solution.ts': "  'solution push': {",
      'cli/src/local-commands.ts': '  backup: { summary },',
    },
    `${page}:2 there is no command solution gone`,
    `${page}:3 there is no command lost`,
  )
})

test('a setting without a row in the table is found, one of a kind is clean', () => {
  const names = ['A_ONE', 'A_TWO', 'B'].map((name) => `    name: 'MILLRACE_${name}',`)
  const files = {
    'README.md': '| `MILLRACE_A_ONE`, with `_TWO` |',
    'server/src/platform/config/config.ts': names,
  }
  assertFinds(
    settingsHaveRows,
    files,
    'server/src/platform/config/config.ts:3 README.md has no row of MILLRACE_B',
  )
})
