import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  concatAST,
  type DocumentNode,
  getOperationAST,
  Kind,
  NoUnusedFragmentsRule,
  OperationTypeNode,
  parse,
  print,
  separateOperations,
  specifiedRules,
  validate,
} from 'graphql'
import { apiSchema, notice } from './api.ts'

const folder = join(import.meta.dirname, '../../console/app/api/documents')

type Source = { readonly location: string; readonly document: DocumentNode }

export function consoleDocuments(): Source[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'))
  return names.sort().map((location) => {
    return { location, document: parse(readFileSync(join(folder, location), 'utf8')) }
  })
}

/** A fragment may be there for another program. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule)

/**
 * The modules of the console's documents by their paths, which import the types of their variables
 * and answers. The documents of a noun are a module of their own, which pages without them do not
 * load.
 * @throws GraphQLError for a document that the schema does not allow.
 */
export function documentModules(sources = consoleDocuments()): [string, string][] {
  const whole = concatAST(sources.map(({ document }) => document))
  for (const error of validate(apiSchema(), whole, rules)) throw error
  const operations = separateOperations(whole)
  return sources.map(({ location, document }): [string, string] => {
    const names = document.definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value ?? ''] : [],
    )
    const constants = names.map((name) => formatConstant(name, operations[name]))
    const path = `console/app/generated/${location.replace('.graphql', '.ts')}`
    return [path, [documentsHead, ...constants].join('\n')]
  })
}

const documentsHead = `${notice}import type { Document } from '../api/graphql.ts'
import type * as types from './graph-types.ts'

export type * from './graph-types.ts'
`

const kinds = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** Returns an operation with the fragments that it uses. */
function formatConstant(name: string, document: DocumentNode | undefined): string {
  if (document === undefined) throw new Error(`there is no operation ${name}`)
  const operation = getOperationAST(document)
  const kind = kinds[operation?.operation ?? OperationTypeNode.QUERY]
  const constant = `${name[0]?.toLowerCase()}${name.slice(1)}Document`
  const type = `Document<types.${name}${kind}Variables, types.${name}${kind}>`
  return `export const ${constant}: ${type} = {\n  text: ${JSON.stringify(print(document))},\n}\n`
}
