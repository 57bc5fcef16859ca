import { test } from 'node:test'
import { assertClean, assertFinds } from './tree/assertions.ts'
import { functionsAreNamedByVerbs, textsAreTranslated, wordsAreReplaced } from './words.ts'

const file = 'server/src/insight/assets/signal.ts'
const gone = wordsAreReplaced({ door: 0 })

test('a replaced word in an identifier, a comment or a name of a test is found', () => {
  assertFinds(
    gone,
    {
      [file]: ['/** Opens the door. */', 'export function openDoor2(a: string) {}'],
      'server/test/a.test.ts': ["test('the door is open', () => {})"],
    },
    `${file}:1 “door” stands 3 times, 0 at most: see docs/glossary.md`,
    `${file}:2 “door” stands 3 times, 0 at most: see docs/glossary.md`,
    'server/test/a.test.ts:1 “door” stands 3 times, 0 at most: see docs/glossary.md',
  )
})

test('a word that still may stand twice is clean, a third one is found', () => {
  const twice = wordsAreReplaced({ door: 2 })
  const lines = ['const door = 1', 'const outdoorLight = door']
  assertClean(twice, { [file]: lines })
  assertFinds(
    twice,
    { [file]: [...lines, '// A door.'] },
    `${file}:3 “door” stands 3 times, 2 at most: see docs/glossary.md`,
  )
})

test('a replaced word in a component of the console is found', () => {
  assertFinds(
    gone,
    { 'console/app/pages/a.tsx': ['/** The door. */', 'export const A = () => <p>the door</p>'] },
    'console/app/pages/a.tsx:1 “door” stands 1 times, 0 at most: see docs/glossary.md',
  )
})

test('texts of the wire and files that are no source are clean', () => {
  assertClean(gone, { [file]: "const name = 'door'", 'docs/a.md': 'A door.' })
})

test('functions, constants that are one, and methods with a name in Of are found', () => {
  const message = (name: string) => `“${name}” is no verb: name the function by what it does`
  assertFinds(
    functionsAreNamedByVerbs,
    {
      [file]: [
        'export async function tagsOf(a: string) {}',
        'const nameOf = (one: string) => one',
        'class Tags { #unitOf(name: string) {} }',
        'const view = { rowOf() {}, removeOf: (name: string) => name }',
        'function sizeOf() {}',
        'const kindOf = 7',
        'const at = list.indexOf(kindOf)',
      ],
    },
    `${file}:1 ${message('tagsOf')}`,
    `${file}:2 ${message('nameOf')}`,
    `${file}:3 ${message('unitOf')}`,
    `${file}:4 ${message('rowOf')}`,
  )
})

test('words of a page that stand in one language are found, others are clean', () => {
  assertFinds(
    textsAreTranslated,
    {
      'console/app/pages/a.tsx': [
        'export const A = () => (',
        '  <p title="The pump">',
        '    A pump <b aria-label={t.pump}>{t.pump}</b>: 7 <i id="Pump" />',
        '  </p>',
        ')',
      ],
    },
    'console/app/pages/a.tsx:2 “The pump” is written in one language: use defineTexts',
    'console/app/pages/a.tsx:3 “A pump” is written in one language: use defineTexts',
  )
})
