import { Fault, limits } from '../../kernel/index.ts'
import type { Content, Provisioning } from '../../provisioning/index.ts'
import { created, noContent, ok, type Route } from '../legacy-route.ts'
import { fieldsOf, textOf } from '../wire/fields.ts'
import { connectorId } from './connectors.ts'

type Options = Pick<Provisioning, 'contents'>

const base = '/api:1/service/:connector/device2/content'

/** Routes for the content that a connector's devices may download. */
export function contentRoutes({ contents }: Options): Route[] {
  return [
    {
      path: base,
      GET: {
        permission: 'Setup',
        async act({ principal, params }) {
          const all = await contents.list(principal.businessId, connectorId(params))
          return ok({ contents: all.map(contentBody) })
        },
      },
    },
    {
      path: `${base}/:content`,
      GET: {
        permission: 'Setup',
        async act({ principal, params: { content = '', ...params } }) {
          const where = [principal.businessId, connectorId(params), content] as const
          return ok(contentBody(await contents.get(...where)))
        },
      },
      PUT: {
        permission: 'Setup',
        takes: 'bytes',
        async act({ principal, params: { content = '', ...params }, query, headers, bytes }) {
          refuseLength(headers['content-length'])
          const { meta } = fieldsOf('query', query, ['meta'])
          const input = {
            contentType: headers['content-type'],
            meta: meta === undefined ? undefined : textOf('meta', meta),
          }
          const where = [principal.businessId, connectorId(params), content] as const
          return created(contentBody(await contents.put(...where, input, bytes)))
        },
      },
      DELETE: {
        permission: 'Setup',
        async act({ principal, params: { content = '', ...params } }) {
          await contents.remove(principal.businessId, connectorId(params), content)
          return noContent()
        },
      },
    },
  ]
}

/** Before a byte of it is read. @throws Fault too_large */
function refuseLength(length: string | undefined): void {
  if (Number(length ?? 0) > limits.contentBytesMax) throw new Fault('too_large')
}

function contentBody({ id, contentType, bytes, meta, updatedAt }: Content) {
  return { id, content_type: contentType, size: bytes, meta, updated: updatedAt }
}
