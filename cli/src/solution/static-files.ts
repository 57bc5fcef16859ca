import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { fillPath, type MillraceClient, unwrap, upload } from '@millrace/client'
import { parse } from 'yaml'
import type { FolderFile } from './folder.ts'

type Fields = Readonly<Record<string, unknown>>

/** The static files of a folder: paths as the solution serves them, and where they lie. */
type StaticFolder = ReadonlyMap<string, string>

type Sync = {
  readonly api: MillraceClient
  readonly solution: string
  readonly dir: string
  /** The files of the push; its murano.yaml names the static ones. */
  readonly files: readonly FolderFile[]
  /** Files that the folder does not have stay. */
  readonly keep: boolean
  readonly dryRun: boolean
}

/**
 * Makes the static files of a solution those that `assets` of its project names; without `assets`
 * they stay as they are. @returns a line for each change. @throws ApiError
 */
export async function pushStaticFiles(sync: Sync): Promise<string[]> {
  const wanted = await readStaticFolder(sync.dir, sync.files)
  if (wanted === undefined) return []
  const { api, solution, keep, dryRun } = sync
  const params = { path: { solution } }
  const { files } = await unwrap(api.GET('/api:1/solution/{solution}/static', { params }))
  const has = new Map(files.map(({ path, etag }) => [path, etag]))
  const lines: string[] = []
  for (const [path, file] of wanted) {
    const bytes = await readFile(file)
    if (has.get(path) === createHash('sha256').update(bytes).digest('base64url')) continue
    lines.push(`${has.has(path) ? 'changed  ' : 'added    '} static file ${path}`)
    const url = fillPath(onePath, { path: { solution, file: path } })
    if (dryRun) continue
    await upload(api, url, new Blob([bytes]), { contentType: 'application/octet-stream' })
  }
  for (const path of has.keys()) {
    if (wanted.has(path)) continue
    lines.push(`${keep ? 'kept     ' : 'removed  '} static file ${path}`)
    if (keep || dryRun) continue
    await unwrap(api.DELETE(onePath, { params: { path: { solution, file: path } } }))
  }
  return lines
}

const onePath = '/api:1/solution/{solution}/static/{file}'

/** @returns undefined if the project names none. */
async function readStaticFolder(
  dir: string,
  files: readonly FolderFile[],
): Promise<StaticFolder | undefined> {
  const project = files.find(({ path }) => /^murano\.(?:json|ya?ml)$/.test(path))
  const value = project === undefined ? undefined : fieldsOf(parse(project.text)).assets
  if (value === undefined || value === null) return undefined
  const { location = 'assets', include = '**', exclude = [] } = fieldsOf(value)
  const folder = posix.normalize(String(location))
  if (folder.startsWith('..') || folder.startsWith('/')) {
    throw new Error(`assets.location ${JSON.stringify(location)} is no folder of the project`)
  }
  const root = join(dir, folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const [included, excluded] = [include, exclude].map((one) => [one].flat().map(String))
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, sep).length))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/(?:^|\/)\./.test(path))
    .filter((path) => matches(included, path) && !matches(excluded, path))
    .sort()
  return new Map(paths.map((path) => [path, join(root, path)]))
}

/** A pattern without a slash is also matched against the name alone. */
function matches(patterns: readonly string[] = [], path: string): boolean {
  return patterns.some((pattern) => {
    const plain = pattern.replace(/^\.?\//, '')
    return posix.matchesGlob(path, plain) || posix.matchesGlob(posix.basename(path), plain)
  })
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}
