import { Fault, limits } from '../../../kernel/index.ts'
import type { Content, Provisioning } from '../../../provisioning/index.ts'
import { deleteContent, getContent, listContents, putContent } from '../../contract/contents.ts'
import { created, noContent, ok, type Route, route } from '../../route.ts'
import { connectorId } from '../connectors.ts'

/** Routes for the content that a connector's devices may download. */
export function contentRoutes({ contents }: Pick<Provisioning, 'contents'>): Route[] {
  return [
    route(listContents, async ({ principal, params }) => {
      const all = await contents.list(principal.businessId, connectorId(params))
      return ok({ contents: all.map(contentBody) })
    }),
    route(getContent, async ({ principal, params }) => {
      const where = [principal.businessId, connectorId(params), params.content] as const
      return ok(contentBody(await contents.get(...where)))
    }),
    route(putContent, async ({ principal, params, query, headers, bytes }) => {
      refuseLength(headers['content-length'])
      const input = { contentType: headers['content-type'], meta: query.meta }
      const where = [principal.businessId, connectorId(params), params.content] as const
      return created(contentBody(await contents.put(...where, input, bytes)))
    }),
    route(deleteContent, async ({ principal, params }) => {
      await contents.remove(principal.businessId, connectorId(params), params.content)
      return noContent()
    }),
  ]
}

/** Before a byte of it is read. @throws Fault too_large */
function refuseLength(length: string | undefined): void {
  if (Number(length ?? 0) > limits.contentBytesMax) throw new Fault('too_large')
}

function contentBody({ id, contentType, bytes, meta, updatedAt }: Content) {
  return { id, content_type: contentType, size: bytes, meta, updated: updatedAt }
}
