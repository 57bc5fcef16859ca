import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A function of a file of tests. */
export type FoundTest = { readonly name: string; readonly line: number }

/** A file of tests as its author wrote it, or what keeps it from being run. */
export type TestFile = {
  readonly path: string
  readonly text: string
  readonly tests: readonly FoundTest[]
  readonly problem?: string
}

const testFile = /_test\.lua$/
const definition = /^(?:function[ \t]+(test_\w+)[ \t]*\(|(test_\w+)[ \t]*=[ \t]*function\b)/gm

/** The files `*_test.lua` of a folder, in the order of their names; hidden ones are left out. */
export async function findTests(dir: string): Promise<TestFile[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && testFile.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(dir, sep).length))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/(?:^|\/)\./.test(path))
    .sort()
  return Promise.all(
    paths.map(async (path) => readTests(path, await readFile(join(dir, path), 'utf8'))),
  )
}

/** Its global functions `test_…`, where they are defined at the beginning of a line. */
export function readTests(path: string, text: string): TestFile {
  const tests = [...text.matchAll(definition)].map((match) => ({
    name: match[1] ?? match[2] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }))
  const problem = problemOf(path, tests)
  return { path, text, tests, ...(problem === undefined ? {} : { problem }) }
}

function problemOf(path: string, tests: readonly FoundTest[]): string | undefined {
  if (tests.length === 0) return `${path}:1: the file has no function test_<name>()`
  const lines = new Map<string, number>()
  for (const { name, line } of tests) {
    const first = lines.get(name)
    if (first !== undefined) return `${path}:${line}: ${name} is there already, in line ${first}`
    lines.set(name, line)
  }
  return undefined
}
