import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typescriptOperations from '@graphql-codegen/typescript-operations'
import {
  concatAST,
  type DocumentNode,
  getOperationAST,
  Kind,
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
 * The console's documents with the types of their variables and answers, by their paths. The
 * documents of a noun are a module of their own, which pages without them do not load.
 * @throws Error for a document that the schema does not allow.
 */
export async function documentModules(sources = consoleDocuments()): Promise<[string, string][]> {
  const types = await codegen({
    schema: apiDocument(),
    documents: sources,
    filename: '',
    config: typesConfig,
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
  })
  const operations = separateOperations(concatAST(sources.map(({ document }) => document)))
  const modules = sources.map(({ location, document }): [string, string] => {
    const names = document.definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value ?? ''] : [],
    )
    const constants = names.map((name) => constantOf(name, operations[name]))
    const path = `console/app/generated/${location.replace('.graphql', '.ts')}`
    return [path, [documentsHead, ...constants].join('\n')]
  })
  return [['console/app/generated/graph-types.ts', `${notice}${types}`], ...modules]
}

const documentsHead = `${notice}import type { Document } from '../api/graphql.ts'
import type * as types from './graph-types.ts'

export type * from './graph-types.ts'
`

const kinds = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** One operation with the fragments that it uses. */
function constantOf(name: string, document: DocumentNode | undefined): string {
  if (document === undefined) throw new Error(`there is no operation ${name}`)
  const operation = getOperationAST(document)
  const kind = kinds[operation?.operation ?? OperationTypeNode.QUERY]
  const constant = `${name[0]?.toLowerCase()}${name.slice(1)}Document`
  const type = `Document<types.${name}${kind}Variables, types.${name}${kind}>`
  return `export const ${constant}: ${type} = {\n  text: ${JSON.stringify(print(document))},\n}\n`
}
