import { limits } from '../../kernel/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import {
  deleteStaticFile,
  getStaticFile,
  listStaticFiles,
  putStaticFile,
  uploadStaticFile,
} from '../contract/static-files.ts'
import { apiHeaders } from '../errors.ts'
import { collectBytes, refuseLength } from '../json-body.ts'
import { created, noContent, ok, type Route, route } from '../route.ts'
import { solutionOf } from './solutions.ts'

type StaticFile = {
  readonly path: string
  readonly contentType: string
  readonly etag: string
  readonly bytes: number
  readonly updatedAt: number
}

/** The files that solutions serve on their hosts. The caller checks whose a solution is. */
export type StaticFileStore = {
  list(solutionId: string): Promise<readonly StaticFile[]>
  /** @throws Fault invalid_argument, too_large */
  put(solutionId: string, path: string, data: Buffer): Promise<StaticFile>
  /** @throws Fault not_found */
  read(solutionId: string, path: string): Promise<{ readonly type: string; readonly data: Buffer }>
  /** @throws Fault not_found */
  remove(solutionId: string, path: string): Promise<void>
  /** Keeps bytes for a push. @throws Fault too_large */
  upload(
    solutionId: string,
    data: Buffer,
  ): Promise<{ readonly etag: string; readonly bytes: number }>
}

/** Routes for the files that solutions serve on their hosts. */
export function staticFileRoutes(
  { solutions }: Pick<Scripting, 'solutions'>,
  { staticFiles }: { readonly staticFiles: StaticFileStore },
): Route[] {
  return [
    route(listStaticFiles, async (call) => {
      const { id } = await solutions.get(...solutionOf(call))
      return ok({ files: (await staticFiles.list(id)).map(staticFileBody) })
    }),
    route(putStaticFile, async (call) => {
      refuseLength(call.headers, limits.solutionStaticFileBytesMax)
      const { id } = await solutions.get(...solutionOf(call))
      const data = await collect(call.bytes)
      return created(staticFileBody(await staticFiles.put(id, call.params.file, data)))
    }),
    route(getStaticFile, async (call) => {
      const { id } = await solutions.get(...solutionOf(call))
      const { data } = await staticFiles.read(id, call.params.file)
      const disposition = { 'content-disposition': 'attachment' }
      const { reply } = call.raw
      reply
        .headers({ ...apiHeaders, ...disposition })
        .type('application/octet-stream')
        .send(data)
      return 'sent'
    }),
    route(uploadStaticFile, async (call) => {
      refuseLength(call.headers, limits.solutionStaticFileBytesMax)
      const { id } = await solutions.get(...solutionOf(call))
      const { etag, bytes } = await staticFiles.upload(id, await collect(call.bytes))
      return created({ etag, size: bytes })
    }),
    route(deleteStaticFile, async (call) => {
      const { id } = await solutions.get(...solutionOf(call))
      await staticFiles.remove(id, call.params.file)
      return noContent()
    }),
  ]
}

/** @throws Fault too_large */
const collect = (bytes: AsyncIterable<Buffer>) =>
  collectBytes(bytes, limits.solutionStaticFileBytesMax)

function staticFileBody({ path, contentType, etag, bytes, updatedAt }: StaticFile) {
  return { path, content_type: contentType, etag, size: bytes, updated_at: updatedAt }
}
