import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { type components, fillPath, type MillraceClient, unwrap, upload } from '@millrace/client'
import { UsageError } from '../command.ts'
import { parseYaml } from '../yaml.ts'
import { type FileNote, listFiles } from './files.ts'
import { type FolderFile, readFolder } from './folder.ts'

type Fields = Readonly<Record<string, unknown>>

/** A static file of a folder: its path as the solution serves it, and where it lies. */
type StaticFile = {
  readonly path: string
  /** The SHA-256 of its bytes, in base64url. */
  readonly etag: string
  readonly file: string
}

/** A folder as it is pushed. */
export type Project = {
  readonly files: readonly FolderFile[]
  /** Undefined if murano.yaml has no `assets`, or they are not there: the solution's stay. */
  readonly staticFiles: readonly StaticFile[] | undefined
  readonly notes: readonly FileNote[]
}

type Pushed = components['schemas']['Pushed']

export type PushQuery = {
  readonly allow_breaking: boolean
  readonly dry_run: boolean
  readonly keep?: boolean
}

/** Reads a folder whole. @throws UsageError if it is missing, or its assets lie outside of it */
export async function readProject(dir: string): Promise<Project> {
  const files = await readFolder(dir)
  const listed = await listFiles(dir, dir)
  const scripts = listed.notes.filter(({ file }) => file.endsWith('.lua'))
  const { staticFiles, notes } = await readStaticFiles(dir, files)
  const old = listed.paths.includes(oldProject) ? [{ file: oldProject, message: oldNote }] : []
  return { files, staticFiles, notes: [...old, ...scripts, ...notes] }
}

/** Lists the parts of projects of 2016. */
const oldProject = 'Solutionfile.json'
const oldNote =
  'is not read, murano.yaml is: each .lua file counts by its name and its header lines'

/** Makes a solution that of a folder; the bytes it lacks are uploaded before. @throws ApiError */
export async function pushProject(
  api: MillraceClient,
  solution: string,
  project: Project,
  query: PushQuery,
): Promise<Pushed> {
  if (!query.dry_run && project.staticFiles !== undefined) {
    const wouldBe = await sendProject(api, solution, project, { ...query, dry_run: true })
    await uploadMissing(api, solution, project, wouldBe)
  }
  return sendProject(api, solution, project, query)
}

async function sendProject(
  api: MillraceClient,
  solution: string,
  { files, staticFiles, notes }: Project,
  query: PushQuery,
): Promise<Pushed> {
  const params = { path: { solution }, query }
  const body = {
    files: files.map(({ path, text }) => ({ path, text })),
    ...(staticFiles && { static_files: staticFiles.map(({ path, etag }) => ({ path, etag })) }),
  }
  const pushed = await unwrap(api.POST('/api:1/solution/{solution}/push', { params, body }))
  if (notes.length === 0) return pushed
  return { ...pushed, notes: [...notes, ...(pushed.notes ?? [])] }
}

async function uploadMissing(
  api: MillraceClient,
  solution: string,
  { staticFiles = [] }: Project,
  { static_files: wouldBe }: Pushed,
): Promise<void> {
  const missing = new Set(wouldBe?.missing)
  const url = fillPath('/api:1/solution/{solution}/static-upload', { path: { solution } })
  for (const { etag, file } of staticFiles) {
    if (!missing.delete(etag)) continue
    const bytes = new Blob([await readFile(file)])
    await upload(api, url, bytes, { method: 'POST', contentType: 'application/octet-stream' })
  }
}

/** Writes the static files of a solution where its murano.yaml has them. @returns their paths. */
export async function pullStaticFiles(
  api: MillraceClient,
  solution: string,
  dir: string,
  { files, static_files: entries }: { files: FolderFile[]; static_files: { path: string }[] },
): Promise<string[]> {
  const location = locationIn(readProjectAssets(files)) ?? 'assets'
  const paths: string[] = []
  for (const { path: file } of entries) {
    // The paths of the instance are not trusted to stay in the folder.
    if (file.split(/[/\\]/).some((part) => part === '' || part.startsWith('.'))) {
      throw new Error(`${JSON.stringify(file)} is no name of a static file`)
    }
    const params = { path: { solution, file } }
    const data = await unwrap(api.GET(onePath, { params, parseAs: 'arrayBuffer' }))
    const path = posix.join(location, file)
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), new Uint8Array(data as ArrayBuffer))
    paths.push(path)
  }
  return paths
}

const onePath = '/api:1/solution/{solution}/static/{file}'

/** The `assets` of a project; undefined if it has none. */
function readProjectAssets(files: readonly FolderFile[]): Fields | undefined {
  const project = files.find(({ path }) => /^murano\.(?:json|ya?ml)$/.test(path))
  const value = project === undefined ? undefined : toFields(parseYaml(project.text)).assets
  return value === undefined || value === null ? undefined : toFields(value)
}

function locationIn(assets: Fields | undefined): string | undefined {
  if (assets === undefined) return undefined
  const { location = 'assets' } = assets
  const folder = posix.normalize(String(location))
  if (!folder.startsWith('..') && !folder.startsWith('/')) return folder
  throw new UsageError(`assets.location ${JSON.stringify(location)} is no folder of the project`)
}

async function readStaticFiles(
  dir: string,
  files: readonly FolderFile[],
): Promise<Pick<Project, 'staticFiles' | 'notes'>> {
  const assets = readProjectAssets(files)
  const folder = locationIn(assets)
  if (assets === undefined || folder === undefined) return { staticFiles: undefined, notes: [] }
  const { include = '**', exclude = [] } = assets
  const root = join(dir, folder)
  const listed = await listFiles(root, dir).catch(() => undefined)
  if (listed === undefined) {
    const message = `assets are in ${folder}, which is not there: no static file is pushed`
    return { staticFiles: undefined, notes: [{ file: 'murano.yaml', message }] }
  }
  const [included, excluded] = [include, exclude].map((one) => [one].flat().map(String))
  const paths = listed.paths.filter((path) => matches(included, path) && !matches(excluded, path))
  const found: StaticFile[] = []
  for (const path of paths) {
    const file = join(root, path)
    const etag = createHash('sha256')
      .update(await readFile(file))
      .digest('base64url')
    found.push({ path, etag, file })
  }
  return { staticFiles: found, notes: listed.notes }
}

/** A pattern without a slash is also matched against the name alone. */
function matches(patterns: readonly string[] = [], path: string): boolean {
  return patterns.some((pattern) => {
    const plain = pattern.replace(/^\.?\//, '')
    return posix.matchesGlob(path, plain) || posix.matchesGlob(posix.basename(path), plain)
  })
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}
