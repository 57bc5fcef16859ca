import { test } from 'node:test'
import {
  errorsAreDocumented,
  limitsAreExplained,
  operationsAreInTheReference,
  operationsHaveSchemas,
} from './catalogue.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

const errors = 'server/src/foundation/kernel/errors.ts'
const errorsPage = 'docs/reference/errors.md'

const catalogue = [
  'const catalogue = {',
  "  locked: { status: 403, text: 'The identity is locked.' },",
  "  not_found: { status: 404, text: 'Not found.' },",
  '} as const satisfies Record<string, unknown>',
]

test('a code without its section, and a section without its code, are found', () => {
  assertFinds(
    errorsAreDocumented,
    {
      [errors]: catalogue,
      [errorsPage]: [
        '# Errors',
        '',
        '## locked',
        '',
        'HTTP 403. Locked.',
        '',
        '## gone',
        '',
        'Old.',
      ],
    },
    `${errors}:3 not_found has no section in ${errorsPage}`,
    `${errorsPage}:7 gone is not in ${errors}`,
  )
})

test('a section with another status, or a second one of the same code, is found', () => {
  assertFinds(
    errorsAreDocumented,
    {
      [errors]: catalogue,
      [errorsPage]: [
        '## locked',
        'HTTP 401. Locked.',
        '## not_found',
        'HTTP 404. None.',
        '## not_found',
        'HTTP 404. None.',
      ],
    },
    `${errorsPage}:1 locked must say HTTP 403`,
    `${errorsPage}:5 not_found has two sections`,
  )
})

test('codes and sections that agree are clean, in any order', () => {
  assertClean(errorsAreDocumented, {
    [errors]: catalogue,
    [errorsPage]: ['## not_found', '', 'HTTP 404. None.', '', '## locked', '', 'HTTP 403. Locked.'],
  })
})

test('a limit without a comment is found', () => {
  assertFinds(
    limitsAreExplained,
    { 'server/src/insight/assets/a.ts': ['', 'const namesMax = 5'] },
    'server/src/insight/assets/a.ts:2 namesMax is a limit: a comment says what it bounds',
  )
  assertClean(limitsAreExplained, {
    'server/src/insight/assets/a.ts': [
      '/** Names. */',
      'const namesMax = 5',
      'const usPerMs = 1000',
    ],
  })
})

const service = 'server/src/scripts/services/valve/valve.ts'
const schemas = 'server/src/scripts/services/valve/operations.ts'

test('an operation that is a function of its own is found', () => {
  const arrow = ['export const valve = {', '  operation: (name) => operations[name],', '}']
  const message = 'an operation without a schema: use implement and defineOperations'
  assertFinds(operationsHaveSchemas, { [service]: arrow }, `${service}:2 ${message}`)
  const method = ['export const valve = {', '  operation(name) {},', '}']
  assertFinds(operationsHaveSchemas, { [service]: method }, `${service}:2 ${message}`)
})

test('operations with schemas, and a service without operations, are clean', () => {
  const implemented = ['export const valve = {', '  operation: implement(schemas, code),', '}']
  assertClean(operationsHaveSchemas, { [service]: implemented })
  const none = ['export const valve = {', '  operation: () => undefined,', '}']
  assertClean(operationsHaveSchemas, { [service]: none })
})

test('operations that the reference has not are found', () => {
  const page = "import { a } from '../../server/src/scripts/services/pump/index.ts'\n"
  const files = { 'dev/generate/operations.ts': page, [schemas]: 'export const a = 1\n' }
  const message = 'the operations are not in dev/generate/operations.ts'
  assertFinds(operationsAreInTheReference, files, `${schemas}:1 ${message}`)
  const whole = { ...files, 'dev/generate/operations.ts': page.replace('pump', 'valve') }
  assertClean(operationsAreInTheReference, whole)
})
