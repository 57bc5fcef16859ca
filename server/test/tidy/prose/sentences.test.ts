import { test } from 'node:test'
import { assertClean, assertFinds } from '../tree/assertions.ts'
import { sentencesNameTheirSubject } from './sentences.ts'

const plain = (count: number) => Array.from({ length: count }, () => '// The job waits. It ends.\n')

test('more than one sentence in 125 without a subject is found, in comments and on pages', () => {
  assertFinds(
    sentencesNameTheirSubject,
    {
      'server/src/a.ts': ['/**', ' * A job. What is late', ' * becomes one.', ' */', 'run() // ok'],
      'docs/page.md': [
        '# What',
        '',
        '* Jobs wait. Those that',
        '  fail end.',
        '',
        '| a | Of jobs |',
      ],
    },
    'docs/page.md:3 the subject is missing: Those that fail end.',
    'server/src/a.ts:1 the subject is missing: What is late becomes one.',
  )
})

test('a few are clean, and so is what pages show as code', () => {
  assertClean(sentencesNameTheirSubject, {
    'server/src/a.ts': [...plain(63), '// What is late becomes one.\n'],
    'docs/page.md': ['```', 'What is late becomes one.', '```'],
  })
})

test('lines of a comment that follow each other are one text', () => {
  assertFinds(
    sentencesNameTheirSubject,
    { 'server/src/a.ts': ['// The job ends', '// One by one.', 'run()', '// One runs on.'] },
    'server/src/a.ts:4 the subject is missing: One runs on.',
  )
})
