import { test } from 'node:test'
import { filesAreSmall, functionsAreSmall, linesAreShort } from './sizes.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

function linesOfCode(count: number): string[] {
  return Array.from({ length: count }, () => 'step()')
}

/** A function of exactly so many lines, its first and last included. */
function makeFunction(lines: number): string[] {
  return ['const flow = () => {', ...linesOfCode(lines - 2), '}']
}

test('a file of 400 lines is clean, one of 401 is found', () => {
  assertClean(filesAreSmall, { 'server/src/insight/assets/a.ts': linesOfCode(400) })
  assertFinds(
    filesAreSmall,
    {
      'server/src/insight/assets/a.ts': linesOfCode(401),
      'server/test/spec/a.test.ts': linesOfCode(402),
    },
    'server/src/insight/assets/a.ts:401 the file has 401 lines, 400 at most',
    'server/test/spec/a.test.ts:401 the file has 402 lines, 400 at most',
  )
})

const migration = 'server/src/foundation/database/migrations/0004_assets.sql'

test('an import of one name is clean however long, one of two is found', () => {
  const file = 'server/src/insight/assets/a.ts'
  const path = `'../${'x'.repeat(101)}/index.ts'`
  assertClean(linesAreShort, { [file]: `import type { A } from ${path}` })
  assertFinds(
    linesAreShort,
    { [file]: `import { a, b } from ${path}` },
    `${file}:1 the line has 136 columns, 100 at most`,
  )
})

test('a line of 100 columns is clean, one of 101 is found, whatever its letters', () => {
  assertClean(linesAreShort, {
    'server/src/insight/assets/a.ts': ['é'.repeat(100), '🌾'.repeat(100)],
    'docs/concepts/devices.md': 'x'.repeat(300),
  })
  assertFinds(
    linesAreShort,
    {
      'server/src/insight/assets/a.ts': ['', 'x'.repeat(101)],
      [migration]: 'x'.repeat(101),
      'server/test/spec/a.test.ts': 'x'.repeat(120),
    },
    'server/src/insight/assets/a.ts:2 the line has 101 columns, 100 at most',
    `${migration}:1 the line has 101 columns, 100 at most`,
    'server/test/spec/a.test.ts:1 the line has 120 columns, 100 at most',
  )
})

test('a function of 70 lines is clean, one of 71 is found where it starts', () => {
  assertClean(functionsAreSmall, { 'server/src/insight/assets/a.ts': makeFunction(70) })
  assertFinds(
    functionsAreSmall,
    {
      'server/src/insight/assets/a.ts': ['// why', ...makeFunction(71)],
      'console/app/page.tsx': [
        'export function Page() {',
        ...linesOfCode(80),
        '  return <p>x</p>',
        '}',
      ],
      'server/src/insight/assets/b.ts': ['class A {', '  run() {', ...linesOfCode(80), '  }', '}'],
    },
    'console/app/page.tsx:1 the function has 83 lines, 70 at most',
    'server/src/insight/assets/a.ts:2 the function has 71 lines, 70 at most',
    'server/src/insight/assets/b.ts:2 the function has 82 lines, 70 at most',
  )
})

test('functions given to describe are not counted, those of fixtures are', () => {
  assertClean(functionsAreSmall, {
    'server/test/spec/a.test.ts': ["describe('a write', () => {", ...linesOfCode(90), '})'],
  })
  assertFinds(
    functionsAreSmall,
    { 'server/test/fixtures/a.ts': makeFunction(71) },
    'server/test/fixtures/a.ts:1 the function has 71 lines, 70 at most',
  )
})
