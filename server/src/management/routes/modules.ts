import type { Pipelines } from '../../pipelines/index.ts'
import { addModule, listModules, removeModule } from '../contract/modules.ts'
import { created, noContent, ok, type Route, route } from '../route.ts'

/** The insight modules of a business. */
export function moduleRoutes({ modules }: Pick<Pipelines, 'modules'>): Route[] {
  return [
    route(listModules, async ({ principal }) =>
      ok({ modules: await modules.list(principal.businessId) }),
    ),
    route(addModule, async ({ principal, body }) =>
      created(await modules.add(principal.businessId, body)),
    ),
    route(removeModule, async ({ principal, params }) => {
      await modules.remove(principal.businessId, params.module)
      return noContent()
    }),
  ]
}
