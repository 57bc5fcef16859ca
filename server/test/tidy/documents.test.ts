import { test } from 'node:test'
import {
  choicesArePinned,
  decisionsAreNumbered,
  linksLeadSomewhere,
  modulesHaveIndexAndPage,
  namedFilesExist,
  namesDescribeContents,
  pagesAreLinked,
  pagesAreShort,
  questionsStandOnce,
  theDrawingIsTrue,
} from './documents.ts'
import { assertClean, assertFinds } from './tree/planted.ts'

test('a link to a file or a heading that does not exist is found', () => {
  assertFinds(
    linksLeadSomewhere,
    {
      'docs/README.md': [
        'See [devices](concepts/devices.md) and [gone](concepts/gone.md "Gone").',
        '',
        '[limits](concepts/devices.md#the-limits), [up](#nowhere)',
        '',
        '[ref]: ../missing.md',
      ],
      'docs/concepts/devices.md': '# Devices',
    },
    'docs/README.md:1 concepts/gone.md does not exist',
    'docs/README.md:3 docs/README.md has no heading #nowhere',
    'docs/README.md:3 docs/concepts/devices.md has no heading #the-limits',
    'docs/README.md:5 ../missing.md does not exist',
  )
})

test('links that lead somewhere, outside links, and links inside code are clean', () => {
  assertClean(linksLeadSomewhere, {
    'docs/README.md': [
      '# Docs',
      '[devices](concepts/devices.md#what-a-204-means), [folder](concepts/), [top](#docs)',
      '[outside](https://example.org/x.md), `[code](gone.md)`',
      '```',
      '[code](gone.md)',
      '```',
    ],
    'docs/concepts/devices.md': ['# Devices', '## What a `204` means'],
  })
})

const choices = ['# Choices', '', '| place | choice | test |', '|---|---|---|']

test('a choice without a test, or with one that does not exist, is found', () => {
  assertFinds(
    choicesArePinned,
    {
      'docs/spec/choices.md': [
        ...choices,
        '| 2 A | We answer 404. | |',
        '| 2 B | We answer 409. | `server/test/spec/gone.test.ts` |',
      ],
    },
    'docs/spec/choices.md:5 the row names no test',
    'docs/spec/choices.md:6 server/test/spec/gone.test.ts does not exist',
  )
})

test('choices that are pinned are clean, however the test is named', () => {
  assertClean(choicesArePinned, {
    'docs/spec/choices.md': [
      ...choices,
      '| 2 A | We answer 404. | `server/test/spec/activate.test.ts` |',
      '| 2 B | We answer 409. | `spec/activate.test.ts` |',
      '| 2 C | We say no. | [activate](../../server/test/spec/activate.test.ts) |',
    ],
    'server/test/spec/activate.test.ts': '',
  })
})

test('a question with two rows is found, also in another table', () => {
  const table = [...choices, '| a | We say no. | `a.test.ts` |', '| b | No. | `a.test.ts` |']
  assertClean(questionsStandOnce, { 'docs/spec/choices.md': table })
  assertFinds(
    questionsStandOnce,
    { 'docs/spec/choices.md': [...table, ...choices, '| a | We say yes. | `a.test.ts` |'] },
    'docs/spec/choices.md:11 the question has a row, at line 5',
  )
})

const lines = (count: number) => Array.from({ length: count }, () => 'x')

test('pages at their length are clean, one line more is found', () => {
  assertClean(pagesAreShort, {
    'ARCHITECTURE.md': lines(200),
    'docs/adr/0001-one.md': lines(60),
    'docs/concepts/long.md': lines(500),
  })
  assertFinds(
    pagesAreShort,
    { 'ARCHITECTURE.md': lines(201), 'docs/adr/0001-one.md': lines(61) },
    'ARCHITECTURE.md:201 the page has 201 lines, 200 at most',
    'docs/adr/0001-one.md:61 the page has 61 lines, 60 at most',
  )
})

test('a decision with a bad name, a taken number or no consequences is found', () => {
  const decision = ['# One', '', '## Consequences', '', 'We lose.']
  assertFinds(
    decisionsAreNumbered,
    {
      'docs/adr/1-one.md': decision,
      'docs/adr/0002-two.md': decision,
      'docs/adr/0002-zwei.md': decision,
      'docs/adr/0003-three.md': '# Three',
    },
    'docs/adr/0002-zwei.md:1 another decision has the number 0002',
    'docs/adr/0003-three.md:1 no section "Consequences"',
    'docs/adr/1-one.md:1 name it NNNN-in-words.md',
  )
  assertClean(decisionsAreNumbered, { 'docs/adr/0001-one-dialect.md': decision })
})

test('a page that docs/README.md links is clean, another one is found', () => {
  const pages = {
    'docs/README.md': 'See [limits](reference/limits.md#time).',
    'docs/reference/limits.md': '# Limits',
    'docs/using/devices.md': '# Devices',
  }
  const message = 'docs/README.md does not link the page'
  assertFinds(pagesAreLinked, pages, `docs/using/devices.md:1 ${message}`)
})

test('a file that a page names exists, by its path, by the end of one, or beside the page', () => {
  const page = 'server/src/assets/README.md'
  const source = { 'server/src/assets/store.ts': '', 'bench/writes.ts': '' }
  assertClean(namedFilesExist, {
    ...source,
    [page]: ['`store.ts`, `assets/store.ts`, `<name>.ts`, `*.ts`', '    node bench/writes.ts 5'],
  })
  assertFinds(
    namedFilesExist,
    { ...source, [page]: ['`gone.ts`', '    node bench/gone.ts 5'] },
    `${page}:1 gone.ts does not exist`,
    `${page}:2 bench/gone.ts does not exist`,
  )
})

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
