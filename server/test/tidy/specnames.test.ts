import { test } from 'node:test'
import { assertClean, assertFinds } from './planted.ts'
import { hooksBelongToSuites, specTestsAreDescribed } from './specnames.ts'

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
    'server/src/provisioning/window.test.ts': "test('window', () => {})",
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
