import { clientTypes } from '../../client/generate.ts'
import type { OpenApiDocument } from '../../server/src/api/management/index.ts'
import { documentTypes } from './document-types.ts'
import { graphTypes } from './graph-types.ts'
import { resolverTypes } from './resolvers.ts'

/** The generated modules of types by their paths. They are made by developers' packages. */
export async function generatedTypes(api: OpenApiDocument): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['client/src/generated/api.ts', await clientTypes(api)],
    ['client/src/graph/generated/schema.ts', await graphTypes()],
    ['console/app/generated/graph-types.ts', await documentTypes()],
    ['server/src/api/graphql/generated/resolvers.ts', await resolverTypes()],
  ])
}
