import { test } from 'node:test'
import {
  choicesArePinned,
  decisionsAreNumbered,
  linksLeadSomewhere,
  pagesAreShort,
} from './documents.ts'
import { assertClean, assertFinds } from './planted.ts'

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
