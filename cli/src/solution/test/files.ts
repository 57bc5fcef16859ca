import { readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { operations } from '@millrace/client'

type Body = operations['runSolutionTests']['requestBody']['content']['application/json']
type TestFile = Body['tests'][number]
type DataFile = NonNullable<Body['data']>[number]

const testFile = /_test\.lua$/
const hidden = /(?:^|\/)\./

/** The files of tests of a folder; hidden ones are left out. */
export async function findTests(dir: string): Promise<TestFile[]> {
  const all = await listPaths(dir)
  const paths = all.filter((path) => testFile.test(path) && !hidden.test(path)).sort()
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(dir, path), 'utf8') })),
  )
}

const isData = (path: string) => path.endsWith('.json') && !leftOut.test(path)
const leftOut = /(?:^|\/)(?:\.|node_modules\/)/

/** No value of a script is larger. */
const fileBytesMax = 16 * 1024 * 1024
/** All of them together, so that a request has room for scripts. */
const dataBytesMax = 8 * 1024 * 1024
const filesMax = 1_000

/**
 * The files that tests may read: those of JSON, and any other that a test names. If they are too
 * many or too large, those that no test names are left out first, the largest before others.
 */
export async function findData(dir: string, tests: readonly TestFile[]): Promise<DataFile[]> {
  const isNamed = (path: string) => tests.some(({ text }) => text.includes(path))
  const all = await listPaths(dir)
  const paths = all.filter((path) => isNamed(path) || isData(path))
  const sized = await Promise.all(
    paths.map(async (path) => {
      const { size } = await stat(join(dir, path))
      return { path, bytes: size, rank: isNamed(path) ? 0 : 1 }
    }),
  )
  sized.sort((one, other) => one.rank - other.rank || one.bytes - other.bytes)
  const chosen = sized.slice(0, filesMax)
  let left = dataBytesMax
  const data: DataFile[] = []
  for (const { path, bytes } of chosen) {
    if (bytes > Math.min(left, fileBytesMax)) data.push({ path, bytes })
    else data.push({ path, bytes, text: await readFile(join(dir, path), 'utf8') })
    left -= Math.min(bytes, left)
  }
  return data
}

async function listPaths(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(dir, sep).length))
    .map((path) => path.split(sep).join('/'))
}
