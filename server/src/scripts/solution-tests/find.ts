import type { FolderFile } from '../scripting/index.ts'

/** A function of a file of tests. */
export type FoundTest = { readonly name: string; readonly line: number }

/** A file of tests as its author wrote it, or what keeps it from being run. */
export type TestFile = FolderFile & {
  readonly tests: readonly FoundTest[]
  readonly problem?: string
}

const definition = /^(?:function[ \t]+(test_\w+)[ \t]*\(|(test_\w+)[ \t]*=[ \t]*function\b)/

/** Finds its global functions `test_…`, if they are defined at the beginning of a line. */
export function readTests({ path, text }: FolderFile): TestFile {
  const tests = text.split('\n').flatMap((content, index) => {
    const [, first, second] = definition.exec(content) ?? []
    const name = first ?? second
    return name === undefined ? [] : [{ name, line: index + 1 }]
  })
  const problem = findProblem(path, tests)
  return { path, text, tests, ...(problem === undefined ? {} : { problem }) }
}

function findProblem(path: string, tests: readonly FoundTest[]): string | undefined {
  if (tests.length === 0) return `${path}:1: the file has no function test_<name>()`
  const lines = new Map<string, number>()
  for (const { name, line } of tests) {
    const first = lines.get(name)
    if (first !== undefined) return `${path}:${line}: ${name} is there already, in line ${first}`
    lines.set(name, line)
  }
  return undefined
}

/**
 * The files of tests of which a test, or the file itself, has the text in its name; in the order of
 * their paths.
 */
export function chooseTests(files: readonly FolderFile[], filter: string): TestFile[] {
  const found = files.map(readTests).sort((one, other) => (one.path < other.path ? -1 : 1))
  return found.filter((file) => file.path.includes(filter) || file.tests.some(wanted(file, filter)))
}

/** Selects tests by their names; all if the name of their file has the text. */
export function wanted({ path }: FolderFile, filter: string): (test: FoundTest) => boolean {
  return ({ name }) => path.includes(filter) || name.includes(filter)
}
