// Prints the test files whose imports reach what changed since a commit, one a line:
//
//   node dev/changed-tests.mjs [commit]
//
// Without a commit: since the last one, or in it if nothing has changed since.
import { spawnSync } from 'node:child_process'
import { join, posix } from 'node:path'
import { readImports } from '../server/test/tidy/tree/syntax.ts'
import { readTree } from '../server/test/tidy/tree/tree.ts'
import { specFor } from './test-plan.mjs'

const root = join(import.meta.dirname, '..')
const isCode = /\.(ts|tsx|mjs)$/
const isTestFile = /\.test\.ts$/
/** Everything is composed here: behind it each test of a platform would reach each module. */
const isComposition = (file) =>
  file === 'server/src/main.ts' || file.startsWith('server/test/fixtures/')

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

function changedFiles(commit) {
  const since = (from) => [
    ...git('diff', '--name-only', from),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  if (commit !== undefined) return since(commit)
  const sinceLast = since('HEAD')
  return sinceLast.length > 0 ? sinceLast : since('HEAD~1')
}

/** Maps each file to those that import it. */
function mapImporters(files) {
  const importers = new Map()
  for (const [file, text] of files) {
    if (!isCode.test(file)) continue
    for (const { specifier = '', typeOnly } of readImports(file, text)) {
      // The check of types finds a change of types.
      if (typeOnly || !specifier.startsWith('.')) continue
      const target = posix.join(posix.dirname(file), specifier)
      const known = importers.get(target) ?? new Set()
      importers.set(target, known.add(file))
    }
  }
  return importers
}

function reachedBy(changed, importers) {
  const reached = new Set(changed)
  for (const file of reached) {
    if (isComposition(file) && !changed.includes(file)) continue
    for (const importer of importers.get(file) ?? []) reached.add(importer)
  }
  return reached
}

const files = readTree(root)
const changed = changedFiles(process.argv[2])
const reached = reachedBy(changed, mapImporters(files))
const named = changed.flatMap(specFor)
for (const file of files.keys()) {
  const isNamed = named.some((pattern) => pattern.test(file))
  if (isTestFile.test(file) && (reached.has(file) || isNamed)) console.log(file)
}
