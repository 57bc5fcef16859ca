import { codegen } from '@graphql-codegen/core'
import * as typescriptOperations from '@graphql-codegen/typescript-operations'
import { apiDocument, notice, typesConfig } from './api.ts'
import { consoleDocuments } from './documents.ts'

/** The types of variables and answers of the console's documents. */
export async function documentTypes(): Promise<string> {
  const types = await codegen({
    schema: apiDocument(),
    documents: consoleDocuments(),
    filename: '',
    config: typesConfig,
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
  })
  return `${notice}${types}`
}
