import { contracts } from '../contract/all.ts'
import { getOpenApi } from '../contract/instance.ts'
import { describeApi } from '../openapi/document.ts'
import { ok, type Route, route } from '../route.ts'

/** The OpenAPI document, with the limits of this instance. */
export function openApiRoutes(version: string): Route[] {
  let document: object | undefined
  return [
    route(getOpenApi, async () => {
      document ??= describeApi(contracts, version)
      return ok(document)
    }),
  ]
}
