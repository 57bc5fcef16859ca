import type { Queryable } from '../../../foundation/database/index.ts'
import {
  component,
  Fault,
  invalidField,
  Microseconds,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ProjectStaticFiles, StaticEntry } from '../configurations/service.ts'
import type { Services } from '../configurations/services.ts'
import type { StaticDiff } from '../schema.ts'
import { createFilesSchema } from './folder.ts'

/** The static files as a project has them, compared with those of a solution. */
export type PreparedStatic = {
  readonly files: ProjectStaticFiles
  readonly wanted: readonly StaticEntry[]
  readonly keep: boolean
}

export const staticFileSchema = component(
  'StaticFile',
  {
    path: Type.String(),
    contentType: Type.String({ description: 'By the end of its name.' }),
    etag: Type.String({ description: 'The SHA-256 of its bytes, in base64url.' }),
    bytes: Type.Integer({ description: 'Bytes.', wire: 'size' }),
    updatedAt: Microseconds(),
  },
  { description: "A file that is served on a solution's host." },
)
export type StaticFile = StaticResult<typeof staticFileSchema>

/** The bytes that a push makes a file of. */
export const staticUploadSchema = StrictObject({
  etag: Type.String({ description: 'Their SHA-256, in base64url.' }),
  bytes: Type.Integer({ description: 'Bytes.', wire: 'size' }),
})
export type UploadedBytes = StaticResult<typeof staticUploadSchema>

/** The static files of solutions, for their owners. The caller checks whose the solution is. */
export type StaticFileStore = {
  /** By their paths. */
  list(solutionId: string): Promise<readonly StaticFile[]>
  /** Stores a file, or replaces it. @throws Fault invalid_argument, too_large past a quota */
  put(solutionId: string, path: string, data: Buffer): Promise<StaticFile>
  /** @throws Fault not_found */
  read(solutionId: string, path: string): Promise<{ readonly type: string; readonly data: Buffer }>
  /** @throws Fault not_found */
  remove(solutionId: string, path: string): Promise<void>
  /** Keeps bytes until a push makes a file of them. @throws Fault too_large past a quota */
  upload(solutionId: string, data: Buffer): Promise<UploadedBytes>
}

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const pushQuerySchema = StrictObject({
  allowBreaking: flag('The change is made even if it breaks subscribers.'),
  dryRun: flag('Nothing is changed.'),
  keep: flag('Scripts that the folder does not have stay, and are listed as `kept`.'),
})

/** The files of a project, and the static ones as a request has them. */
export function createPushSchema() {
  const entry = StrictObject({
    path: Type.String({ description: 'As it is served, without a slash before it.' }),
    etag: Type.String({
      description: 'The SHA-256 of its bytes, in base64url.',
      pattern: '^[A-Za-z0-9_-]{43}$',
      rule: 'must be a SHA-256 in base64url',
    }),
  })
  const entries = Type.Array(entry, {
    description: 'The static files of the project; those of before stay if it is left out.',
  })
  return StrictObject({ files: createFilesSchema(), staticFiles: Type.Optional(entries) })
}

export type PushOptions = StaticResult<typeof pushQuerySchema> &
  Pick<StaticResult<ReturnType<typeof createPushSchema>>, 'staticFiles'>

/** @throws Fault invalid_argument for a path that is wrong or given twice */
export function prepareStatic(
  services: Services,
  wanted: readonly StaticEntry[] | undefined,
  keep: boolean,
): PreparedStatic | undefined {
  const files = findStaticFiles(services)
  if (wanted === undefined || files === undefined) return undefined
  const seen = new Set<string>()
  for (const { path } of wanted) {
    files.checkPath(path)
    if (seen.has(path)) throw invalidField('static_files', `must not hold ${path} twice`)
    seen.add(path)
  }
  return { files, wanted, keep }
}

/** The service whose files they are. */
export function findStaticFiles(services: Services): ProjectStaticFiles | undefined {
  return services.always().find(({ staticFiles }) => staticFiles !== undefined)?.staticFiles
}

type Compared = { readonly diff: StaticDiff; readonly put: readonly StaticEntry[] }

/** Compares with what the solution has now. */
export async function compareStatic(
  queryable: Queryable,
  solutionId: string,
  { files, wanted, keep }: PreparedStatic,
): Promise<Compared> {
  const before = new Map(
    (await files.list(queryable, solutionId)).map(({ path, etag }) => [path, etag]),
  )
  const names = new Set(wanted.map(({ path }) => path))
  const put = wanted.filter(({ path, etag }) => before.get(path) !== etag)
  const etags = [...new Set(put.map(({ etag }) => etag))]
  const known = await files.known(queryable, solutionId, etags)
  const gone = [...before.keys()].filter((path) => !names.has(path))
  const listPaths = (which: (path: string) => boolean) =>
    put.map(({ path }) => path).filter((path) => which(path))
  const diff = {
    added: listPaths((path) => !before.has(path)),
    changed: listPaths((path) => before.has(path)),
    removed: keep ? [] : gone,
    ...(keep && { kept: gone }),
    missing: etags.filter((etag) => !known.has(etag)),
  }
  return { diff, put }
}

/** @throws Fault invalid_argument if bytes of a file are missing */
export function refuseMissing({ put, diff: { missing } }: Compared): void {
  const lacks = new Set(missing)
  const first = put.find(({ etag }) => lacks.has(etag))
  if (first === undefined) return
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : ''
  throw new Fault('invalid_argument', `The bytes of ${first.path}${more} are not uploaded.`)
}
