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
  wingsHavePages,
} from './documents.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

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
  const page = 'server/src/insight/assets/README.md'
  const source = { 'server/src/insight/assets/store.ts': '', 'bench/writes.ts': '' }
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
    { 'server/src/insight/assets/signal.ts': '', 'server/src/scripts/services/timer/index.ts': '' },
    'server/src/insight/assets/README.md:1 the module has no page',
    'server/src/insight/assets/index.ts:1 the module has no index.ts',
    'server/src/scripts/services/timer/README.md:1 the module has no page',
  )
})

test('a page of 15 lines is clean, one of 16 is found', () => {
  const files = { 'server/src/insight/assets/index.ts': '', 'server/src/main.ts': '' }
  assertClean(modulesHaveIndexAndPage, {
    ...files,
    'server/src/insight/assets/README.md': page(15),
  })
  assertFinds(
    modulesHaveIndexAndPage,
    { ...files, 'server/src/insight/assets/README.md': page(16) },
    'server/src/insight/assets/README.md:16 the page has 16 lines, 15 at most',
  )
})

test('a wing without a page, or with one of 31 lines, is found', () => {
  const files = { 'server/src/insight/assets/index.ts': '' }
  const file = 'server/src/insight/README.md'
  assertClean(wingsHavePages, { ...files, [file]: page(30) })
  assertFinds(wingsHavePages, files, `${file}:1 the wing has no page`)
  const message = 'the page has 31 lines, 30 at most'
  assertFinds(wingsHavePages, { ...files, [file]: page(31) }, `${file}:31 ${message}`)
})

const ofWings = [
  '| wing | may import |',
  '|---|---|',
  '| `foundation` | nothing |',
  '| `devices` | foundation, log, people |',
  '',
  '| `billing` | everything |',
]
const ofDevices = [
  '| module | what it is | may import |',
  '|---|---|---|',
  '| `hosts` | names | kernel, database (and nobody else) |',
]

test('drawings that agree with the tables of wings and modules are clean', () => {
  assertClean(theDrawingIsTrue, {
    'ARCHITECTURE.md': ofWings,
    'server/src/foundation/kernel/index.ts': '',
    'server/src/devices/hosts/index.ts': '',
    'server/src/devices/README.md': ofDevices,
  })
})

test('a drawing with another import, a strange name, or one that is missing is found', () => {
  const file = 'server/src/devices/README.md'
  assertFinds(
    theDrawingIsTrue,
    {
      'ARCHITECTURE.md': [...ofWings.slice(0, 3), '| `devices` | log |', '| `garden` | log |'],
      'server/src/insight/assets/index.ts': '',
      'server/src/devices/device-api/index.ts': '',
      [file]: [
        ...ofDevices.slice(0, 2),
        '| `hosts` | names | kernel |',
        '| `jobs` | work | kernel |',
      ],
    },
    'ARCHITECTURE.md:1 insight is not drawn',
    'ARCHITECTURE.md:4 devices may import: foundation, log, people',
    'ARCHITECTURE.md:5 garden is not in the table',
    `${file}:1 device-api is not drawn`,
    `${file}:3 hosts may import: kernel, database`,
    `${file}:4 jobs is not in the table`,
  )
})

test('names that describe nothing are found, names that only contain them are clean', () => {
  assertFinds(
    namesDescribeContents,
    {
      'server/src/insight/assets/utils.ts': '',
      'console/app/util/path.ts': '',
      'server/test/fixtures/http-helpers.ts': '',
    },
    'console/app/util/path.ts:1 a file or folder named for nothing',
    'server/src/insight/assets/utils.ts:1 a file or folder named for nothing',
    'server/test/fixtures/http-helpers.ts:1 a file or folder named for nothing',
  )
  assertClean(namesDescribeContents, { 'server/src/insight/assets/utilisation.ts': '' })
})
