import type { OpenApiDocument } from '../../server/src/api/management/index.ts'
import { builtInFunctionsPage } from './built-in-functions.ts'
import { commandOperationsModule } from './command-operations.ts'
import { dataTypesPage } from './data-types.ts'
import { documentModules } from './documents.ts'
import { enumsModule } from './enums.ts'
import { formsModule } from './forms/module.ts'
import { graphqlSchema } from './graphql-schema.ts'
import { limitsPage } from './limits.ts'
import { luaFunctionsModule, luaStubsModule } from './lua-stubs.ts'
import { managementCallsPage } from './management.ts'
import { operationsPage } from './operations.ts'
import { connectorSettingsPage, providerSettingsPage } from './settings.ts'

type Files = ReadonlyMap<string, string>

/** The generated modules that are not types alone, by their paths. */
export function generatedModules(api: OpenApiDocument): Files {
  return new Map([
    ['client/src/generated/enums.ts', enumsModule(api)],
    ['cli/src/generated/lua-stubs.ts', luaStubsModule()],
    ['cli/src/generated/operations.ts', commandOperationsModule(api)],
    ['console/app/generated/forms.ts', formsModule()],
    ['console/app/generated/lua-functions.ts', luaFunctionsModule()],
    ...documentModules(),
  ])
}

/** The generated pages by their paths. The page of commands imports generated modules. */
export async function generatedPages(): Promise<Files> {
  const { commandsPage } = await import('./commands.ts')
  return new Map([
    ['docs/reference/cli.md', await commandsPage()],
    ['docs/reference/built-in-functions.md', builtInFunctionsPage()],
    ['docs/reference/data-types.md', dataTypesPage()],
    ['docs/reference/limits.md', limitsPage()],
    ['docs/reference/operations.md', operationsPage()],
    ['docs/reference/connector-settings.md', connectorSettingsPage()],
    ['docs/reference/provider-settings.md', providerSettingsPage()],
    ['docs/reference/management-calls.md', managementCallsPage()],
    ['docs/reference/schema.graphql', graphqlSchema()],
  ])
}

const columns = 100

/** JSON with what fits into a line in one. */
export function printJson(value: unknown, indent = '', before = 0): string {
  const line = JSON.stringify(value)
  const isPlain = typeof value !== 'object' || value === null
  if (isPlain || indent.length + before + line.length <= columns) return line
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(([name, one]) => {
    const key = isList ? '' : `${JSON.stringify(name)}: `
    return `${inner}${key}${printJson(one, inner, key.length)}`
  })
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}
