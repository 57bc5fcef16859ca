import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typescriptOperations from '@graphql-codegen/typescript-operations'
import {
  concatAST,
  type DocumentNode,
  getOperationAST,
  OperationTypeNode,
  parse,
  print,
  separateOperations,
} from 'graphql'
import { apiDocument, notice, typesConfig } from './api.ts'

const folder = join(import.meta.dirname, '../../console/app/api/documents')

type Source = { readonly location: string; readonly document: DocumentNode }

function consoleDocuments(): Source[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'))
  return names.sort().map((location) => {
    return { location, document: parse(readFileSync(join(folder, location), 'utf8')) }
  })
}

/**
 * The console's documents with the types of their variables and answers.
 * @throws Error for a document that the schema does not allow.
 */
export async function documentTypes(sources = consoleDocuments()): Promise<string> {
  const text = await codegen({
    schema: apiDocument(),
    documents: sources,
    filename: '',
    config: typesConfig,
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
  })
  const whole = concatAST(sources.map(({ document }) => document))
  const operations = Object.entries(separateOperations(whole))
  const constants = operations.map(([name, document]) => constantOf(name, document))
  const head = `${notice}import type { Document } from '../api/graphql.ts'\n`
  return [head, text, ...constants].join('\n')
}

const kinds = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** One operation with the fragments that it uses. */
function constantOf(name: string, document: DocumentNode): string {
  const operation = getOperationAST(document)
  const kind = kinds[operation?.operation ?? OperationTypeNode.QUERY]
  const constant = `${name[0]?.toLowerCase()}${name.slice(1)}Document`
  const type = `Document<${name}${kind}Variables, ${name}${kind}>`
  return `export const ${constant}: ${type} = {\n  text: ${JSON.stringify(print(document))},\n}\n`
}
