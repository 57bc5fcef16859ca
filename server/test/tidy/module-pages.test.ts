import { test } from 'node:test'
import { modulesHaveIndexAndPage, namesDescribeContents, theDrawingIsTrue } from './module-pages.ts'
import { assertClean, assertFinds } from './planted.ts'

const page = (lines: number) => Array.from({ length: lines }, () => 'Purpose.')

test('a module without its index.ts or its page is found', () => {
  assertFinds(
    modulesHaveIndexAndPage,
    { 'server/src/assets/signal.ts': '', 'server/src/services/timer/index.ts': '' },
    'server/src/assets/README.md:1 the module has no page',
    'server/src/assets/index.ts:1 the module has no index.ts',
    'server/src/services/timer/README.md:1 the module has no page',
  )
})

test('a page of 15 lines is clean, one of 16 is found', () => {
  const files = { 'server/src/assets/index.ts': '', 'server/src/main.ts': '' }
  assertClean(modulesHaveIndexAndPage, { ...files, 'server/src/assets/README.md': page(15) })
  assertFinds(
    modulesHaveIndexAndPage,
    { ...files, 'server/src/assets/README.md': page(16) },
    'server/src/assets/README.md:16 the page has 16 lines, 15 at most',
  )
})

const drawing = [
  '## Who may import whom',
  '',
  '| module | may import |',
  '|---|---|',
  '| `kernel` | nothing |',
  '| `hosts` | kernel, database (and nobody else) |',
  '',
  '## Later',
  '| `billing` | everything |',
]

test('a drawing that agrees with the table of modules is clean', () => {
  assertClean(theDrawingIsTrue, {
    'ARCHITECTURE.md': drawing,
    'server/src/kernel/index.ts': '',
    'server/src/hosts/index.ts': '',
  })
})

test('a drawing with another import, a strange module, or one that is missing is found', () => {
  assertFinds(
    theDrawingIsTrue,
    {
      'ARCHITECTURE.md': [
        ...drawing.slice(0, 5),
        '| `hosts` | kernel, database, eventlog |',
        '| `billing` | kernel |',
      ],
      'server/src/device-api/index.ts': '',
    },
    'ARCHITECTURE.md:1 device-api is not drawn',
    'ARCHITECTURE.md:6 hosts may import: kernel, database',
    'ARCHITECTURE.md:7 billing is not in the table of modules',
  )
})

test('names that describe nothing are found, names that only contain them are clean', () => {
  assertFinds(
    namesDescribeContents,
    {
      'server/src/assets/utils.ts': '',
      'console/app/util/path.ts': '',
      'server/test/fixtures/http-helpers.ts': '',
    },
    'console/app/util/path.ts:1 a file or folder named for nothing',
    'server/src/assets/utils.ts:1 a file or folder named for nothing',
    'server/test/fixtures/http-helpers.ts:1 a file or folder named for nothing',
  )
  assertClean(namesDescribeContents, { 'server/src/assets/utilisation.ts': '' })
})
