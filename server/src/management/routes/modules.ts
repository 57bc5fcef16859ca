import { Fault } from '../../kernel/index.ts'
import type { Pipelines } from '../../pipelines/index.ts'
import { created, noContent, ok, type Route } from '../legacy-route.ts'
import { bodyObject, fieldsOf, textOf } from '../wire/fields.ts'

/** The insight modules of a business. */
export function moduleRoutes({ modules }: Pick<Pipelines, 'modules'>): Route[] {
  return [
    {
      path: '/api:1/modules',
      GET: {
        permission: 'Setup',
        act: async ({ principal }) => ok({ modules: await modules.list(principal.businessId) }),
      },
      POST: {
        permission: 'Setup',
        async act({ principal, body }) {
          const { name, url } = fieldsOf('body', bodyObject(body), ['name', 'url'])
          const wanted = {
            name: name === undefined ? undefined : textOf('name', name),
            url: textOf('url', url),
          }
          return created(await modules.add(principal.businessId, wanted))
        },
      },
    },
    {
      path: '/api:1/modules/:module',
      DELETE: {
        permission: 'Setup',
        async act({ principal, params: { module = '' } }) {
          if (!/^[a-z0-9]+$/.test(module)) throw new Fault('not_found', 'There is no such module.')
          await modules.remove(principal.businessId, module)
          return noContent()
        },
      },
    },
  ]
}
