import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typescript from '@graphql-codegen/typescript'
import * as typescriptResolvers from '@graphql-codegen/typescript-resolvers'
import { apiDocument, notice, typesConfig } from './api.ts'

const rowsFile = join(import.meta.dirname, '../../server/src/api/graphql/resolver.ts')

/** The types of resolvers: their rows, arguments and results, by type and field of the schema. */
export async function resolverTypes(): Promise<string> {
  const rows = readFileSync(rowsFile, 'utf8').matchAll(/^export type (\w+)Row\b/gm)
  const mappers = [...rows].map(([, type]) => [type, `../resolver.ts#${type}Row`])
  const text = await codegen({
    schema: apiDocument(),
    documents: [],
    filename: '',
    config: {
      ...typesConfig,
      // Microseconds: the scalar itself writes and reads the text.
      scalars: { ...typesConfig.scalars, Timestamp: 'number' },
      mappers: Object.fromEntries(mappers),
      contextType: '../context.ts#Context',
      customResolverFn: '../resolver.ts#Resolver',
      makeResolverTypeCallable: true,
      maybeValue: 'T | null | undefined',
      inputMaybeValue: 'T | null | undefined',
    },
    plugins: [{ typescript: {} }, { typescriptResolvers: {} }],
    pluginMap: { typescript, typescriptResolvers },
  })
  return `${notice}${text}`
}
