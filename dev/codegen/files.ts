import { documentTypes } from './documents.ts'
import { resolverTypes } from './resolvers.ts'
import { schemaTypes } from './schema.ts'

/** The generated files by their paths. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['server/src/graphql/generated/resolvers.ts', await resolverTypes()],
    ['client/src/graph/generated/schema.ts', await schemaTypes()],
    ['console/app/generated/documents.ts', await documentTypes()],
  ])
}
