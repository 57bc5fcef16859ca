import { codegen } from '@graphql-codegen/core'
import * as typescript from '@graphql-codegen/typescript'
import { apiDocument, notice, typesConfig } from './api.ts'

/** The types of the schema, for programs that use the client. */
export async function graphTypes(): Promise<string> {
  const text = await codegen({
    schema: apiDocument(),
    documents: [],
    filename: '',
    config: { ...typesConfig, maybeValue: 'T | null', inputMaybeValue: 'T | null | undefined' },
    plugins: [{ typescript: {} }],
    pluginMap: { typescript },
  })
  return `${notice}${text}`
}
