import { test } from 'node:test'
import {
  faultsCanBePlanted,
  hooksBelongToSuites,
  specTestsAreDescribed,
  testsAreSmall,
} from './tests.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

const file = 'server/test/spec/activate.test.ts'

test('a test of the spec without words is found, however it is called', () => {
  assertFinds(
    specTestsAreDescribed,
    {
      [file]: [
        "test('activate_404', () => {})",
        'test(() => {})',
        "describe('row 7', () => {})",
        "test.skip('case', () => {})",
        "await t.test('two words', () => {})",
        'test(`$' + '{code}`, () => {})',
      ],
    },
    `${file}:1 name the test in words, 3 at least`,
    `${file}:2 name the test in words, 3 at least`,
    `${file}:3 name the test in words, 3 at least`,
    `${file}:4 name the test in words, 3 at least`,
    `${file}:5 name the test in words, 3 at least`,
    `${file}:6 name the test in words, 3 at least`,
  )
})

test('tests named in words, rows of a table, and unit tests are clean', () => {
  assertClean(specTestsAreDescribed, {
    [file]: [
      "test('an unknown identity is answered 404', () => {})",
      'test(row.words, () => {})',
      'test(`activation is refused with $' + '{status}`, () => {})',
      "const known = /pattern/.test('x')",
    ],
    'server/src/devices/provisioning/window.test.ts': "test('window', () => {})",
  })
})

test('a hook for each test outside a suite is found, and within one it is not', () => {
  assertFinds(
    hooksBelongToSuites,
    { [file]: ['beforeEach(() => {})', 'afterEach(async () => {})'] },
    `${file}:1 beforeEach belongs into a suite`,
    `${file}:2 afterEach belongs into a suite`,
  )
  assertClean(hooksBelongToSuites, {
    [file]: ["describe('a suite of tests', () => {", '  beforeEach(() => {})', '})'],
  })
})

test('a test of 40 lines and a describe of 120 are clean, one line more is found', () => {
  const file = 'server/test/spec/devices/mqtt/write.test.ts'
  const of = (word: string, lines: number) => [
    `${word}('is there', () => {`,
    ...Array.from({ length: lines - 2 }, () => '  step()'),
    '})',
  ]
  const folder = 'server/test/spec/devices/mqtt'
  assertClean(testsAreSmall({}), { [file]: [...of('it', 40), ...of('describe', 120)] })
  assertFinds(
    testsAreSmall({}),
    { [file]: [...of('test.skip', 41), ...of('describe', 121)] },
    `${file}:1 test has 41 lines, 40 at most (2 in ${folder})`,
    `${file}:42 describe has 121 lines, 120 at most (2 in ${folder})`,
  )
  assertClean(testsAreSmall({ [folder]: 1 }), { [file]: of('it', 41) })
})

test('a planted fault whose text or test has moved is found', () => {
  const [list, file, test] = ['dev/planted-faults.json', 'server/src/a.ts', 'server/src/a.test.ts']
  const planted = (entries: readonly object[]) => ({
    [list]: JSON.stringify(entries, null, 2),
    [file]: 'if (a < b) throw c\nif (b < c) throw c',
    [test]: '',
  })
  const good = { file, from: 'a < b', to: 'a <= b', tests: [test] }
  assertClean(faultsCanBePlanted, planted([good]))
  assertFinds(
    faultsCanBePlanted,
    planted([
      { ...good, from: 'throw c' },
      { ...good, from: 'gone', to: 'gone', tests: [] },
      { ...good, tests: ['server/src/gone.test.ts'] },
    ]),
    `${list}:4 ${file} holds the text 2 times, and must hold it once`,
    `${list}:12 ${file} holds the text 0 times, and must hold it once`,
    `${list}:12 the fault changes nothing`,
    `${list}:12 one to three test files kill a fault`,
    `${list}:18 server/src/gone.test.ts is not there`,
  )
})
