import { test } from 'node:test'
import {
  compositionExportsNoTypes,
  filesLieInModules,
  foldersAreSmall,
  noCircles,
  noLiteralIsSpread,
  smallFilesAreRare,
  typeNamesAreUnique,
} from './structure.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

const folder = 'server/src/insight/assets'

function filled(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, at) => `${folder}/file${at}.ts`)
  const others = [`${folder}/file0.test.ts`, `${folder}/deeper/file.ts`, 'server/src/main.ts']
  return Object.fromEntries([...names, ...others].map((name) => [name, '']))
}

test('a folder of 25 files beside their tests is clean, one of 26 is found', () => {
  assertClean(foldersAreSmall({}), filled(25))
  assertFinds(foldersAreSmall({}), filled(26), `${folder}:1 26 files in the folder, 25 at most`)
})

test('a folder that still may have 26 files is clean, with 27 it is found', () => {
  const most = { [folder]: 26 }
  assertClean(foldersAreSmall(most), filled(26))
  assertFinds(foldersAreSmall(most), filled(27), `${folder}:1 27 files in the folder, 26 at most`)
})

test('a file beside the wings or the modules is found, the page of a wing is clean', () => {
  const message = 'the file lies in no module'
  assertFinds(
    filesLieInModules,
    { 'server/src/wings.ts': '', 'server/src/insight/a.ts': '', 'server/src/other/a.ts': '' },
    `server/src/insight/a.ts:1 ${message}`,
    `server/src/other/a.ts:1 ${message}`,
    `server/src/wings.ts:1 ${message}`,
  )
  assertClean(filesLieInModules, {
    ...filled(1),
    'server/src/insight/README.md': '',
    'server/src/platform/cli/serve.ts': '',
  })
})

const circle = {
  [`${folder}/a.ts`]: "import { b } from './b.ts'",
  [`${folder}/b.ts`]: "import type { C } from './c.ts'",
  [`${folder}/c.ts`]: ["import { a } from './a.ts'", "import './d.ts'"],
  [`${folder}/d.ts`]: "import { Fault } from '../../foundation/kernel/index.ts'",
}

test('files that import each other in a circle are found, one import being of a type', () => {
  const message = 'assets: 3 files import each other in circles, 0 at most'
  assertFinds(
    noCircles({}),
    circle,
    `${folder}/a.ts:1 ${message}`,
    `${folder}/b.ts:1 ${message}`,
    `${folder}/c.ts:1 ${message}`,
  )
})

test('as many files in circles as still may be are clean, as are imports in one direction', () => {
  assertClean(noCircles({ assets: 3 }), circle)
  assertClean(noCircles({}), { ...circle, [`${folder}/b.ts`]: '' })
})

test('an object literal that is spread into one is found, other spreads are clean', () => {
  const file = `${folder}/a.ts`
  const faults = ['const a = {', '  ...{ b: 1 },', '  c: 2,', '}']
  const message = 'server/src: 1 object literals spread into an object literal, 0 at most'
  assertFinds(noLiteralIsSpread({}), { [file]: faults }, `${file}:2 ${message}`)
  assertClean(noLiteralIsSpread({ 'server/src': 1 }), { [file]: faults })
  assertClean(noLiteralIsSpread({}), {
    [file]: ['const a = { ...b, ...(c ? { d: 1 } : {}) }', 'const e = [...[1]]'],
  })
})

test('a file of 29 lines is found; one of 30, or that has its own place, is clean', () => {
  const file = `${folder}/a.ts`
  const message = 'assets: 1 files have fewer than 30 lines, 0 at most'
  const lines = (count: number) => Array.from({ length: count }, () => 'step()')
  assertFinds(smallFilesAreRare({}), { [file]: lines(29) }, `${file}:1 ${message}`)
  assertClean(smallFilesAreRare({ assets: 1 }), { [file]: lines(29) })
  assertClean(smallFilesAreRare({}), {
    [file]: lines(30),
    [`${folder}/index.ts`]: lines(2),
    [`${folder}/store.ts`]: lines(2),
    [`${folder}/options.ts`]: lines(2),
    'server/src/platform/cli/config.ts': lines(2),
    [`${folder}/stamp.ts`]: lines(2),
    [`${folder}/stamp.test.ts`]: lines(2),
  })
})

test('a type that two modules export is found, one that a module exports twice is clean', () => {
  const [a, b] = ['server/src/insight/assets/page.ts', 'server/src/people/accounts/page.ts']
  const page = ['', 'export type Page = string']
  const message = 'the type Page is declared by assets, accounts'
  assertFinds(typeNamesAreUnique({}), { [a]: page, [b]: page }, `${b}:2 ${message}`)
  assertFinds(
    typeNamesAreUnique({}),
    { [a]: page, [b]: 'export class Page {}' },
    `${b}:1 ${message}`,
  )
  assertClean(typeNamesAreUnique({ Page: 2 }), { [a]: page, [b]: page })
  assertClean(typeNamesAreUnique({}), { [a]: page, 'server/src/insight/assets/b.ts': page })
  assertClean(typeNamesAreUnique({}), { [a]: page, [b]: 'type Page = string' })
})

test('a type that main.ts or a create.ts exports is found', () => {
  const type = ['', 'export type Signals = { readonly id: string }']
  assertFinds(
    compositionExportsNoTypes({}),
    { 'server/src/main.ts': type, [`${folder}/create.ts`]: type },
    'server/src/main.ts:2 main.ts: 1 types are exported by files that compose, 0 at most',
    `${folder}/create.ts:2 assets: 1 types are exported by files that compose, 0 at most`,
  )
  assertClean(compositionExportsNoTypes({ assets: 1 }), {
    'server/src/main.ts': 'type Own = string\nexport function create(): Own',
    'server/src/insight/assets/create.ts': type,
    'server/src/insight/assets/signals.ts': type,
  })
})
