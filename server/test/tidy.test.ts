import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'node:test'
import * as ambient from './tidy/ambient.ts'
import * as catalogue from './tidy/catalogue.ts'
import * as documents from './tidy/documents.ts'
import * as imports from './tidy/imports.ts'
import * as limits from './tidy/limits.ts'
import * as manifests from './tidy/manifests.ts'
import * as claims from './tidy/prose/claims.ts'
import { sentencesNameTheirSubject } from './tidy/prose/sentences.ts'
import * as remaining from './tidy/remaining.ts'
import * as sizes from './tidy/sizes.ts'
import {
  compositionExportsNoTypes,
  filesLieInModules,
  foldersAreSmall,
  noCircles,
  noLiteralIsSpread,
  smallFileLines,
  smallFilesAreRare,
  standAlone,
  typeNamesAreUnique,
} from './tidy/structure.ts'
import * as tables from './tidy/tables.ts'
import * as tests from './tidy/tests.ts'
import { type Check, readTree, splitLines } from './tidy/tree/tree.ts'
import { functionsAreNamedByVerbs, textsAreTranslated, wordsAreReplaced } from './tidy/words.ts'

/**
 * The rules of style, as a test. Every exported check of tidy/ runs over this repository; the tests
 * beside them plant each fault and see it found, with its file and its line.
 */
const root = join(import.meta.dirname, '../..')
const files = readTree(root)

const checks = Object.entries({
  ...imports,
  ...tables,
  ...sizes,
  ...ambient,
  ...catalogue,
  ...limits,
  ...documents,
  ...claims,
  ...tests,
  ...manifests,
  filesLieInModules,
  functionsAreNamedByVerbs,
  foldersAreSmall: foldersAreSmall(remaining.filesRemaining),
  noCircles: noCircles(remaining.circlesRemaining),
  noLiteralIsSpread: noLiteralIsSpread(remaining.spreadsRemaining),
  sentencesNameTheirSubject,
  smallFilesAreRare: smallFilesAreRare(remaining.smallFilesRemaining),
  testsAreSmall: tests.testsAreSmall(remaining.testsRemaining),
  textsAreTranslated,
  typeNamesAreUnique: typeNamesAreUnique(remaining.typeNamesRemaining),
  compositionExportsNoTypes: compositionExportsNoTypes(remaining.composedTypesRemaining),
  wordsAreReplaced: wordsAreReplaced(remaining.wordsRemaining),
}).filter((entry): entry is [string, Check] => typeof entry[1] === 'function')

for (const [name, check] of checks) {
  test(`this repository is tidy: ${inWords(name)}`, () => {
    const found = check(files).map((one) => `${one.file}:${one.line} ${one.message}`)
    assert.equal(found.join('\n'), '')
  })
}

test('the checks see the repository: its modules, its tables, its pages', () => {
  for (const path of [
    'server/src/foundation/kernel/limits.ts',
    'package-lock.json',
    'ARCHITECTURE.md',
  ]) {
    assert(files.has(path), `${path} was not read`)
  }
})

test('each file that may be small is there, and small', () => {
  for (const path of Object.keys(standAlone)) {
    const lines = splitLines(files.get(path) ?? assert.fail(`${path} is not there`)).length
    assert(lines < smallFileLines, `${path} has ${lines} lines`)
  }
})

function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
