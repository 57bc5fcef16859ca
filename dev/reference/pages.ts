import { contracts, describeApi } from '../../server/src/management/index.ts'
import { builtInFunctionsPage } from './built-in-functions.ts'
import { commandsPage } from './commands.ts'
import { dataTypesPage } from './data-types.ts'
import { graphqlSchema } from './graphql-schema.ts'
import { luaFunctionsModule, luaStubsModule } from './lua-stubs.ts'
import { managementCallsPage } from './management.ts'
import { operationsPage } from './operations.ts'
import { connectorSettingsPage, providerSettingsPage } from './settings.ts'

/** The generated pages by their paths. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/reference/cli.md', await commandsPage()],
    ['docs/reference/built-in-functions.md', builtInFunctionsPage()],
    ['docs/reference/data-types.md', dataTypesPage()],
    ['docs/reference/operations.md', operationsPage()],
    ['cli/src/generated/lua-stubs.ts', luaStubsModule()],
    ['console/app/generated/lua-functions.ts', luaFunctionsModule()],
    ['docs/reference/connector-settings.md', connectorSettingsPage()],
    ['docs/reference/provider-settings.md', providerSettingsPage()],
    ['docs/reference/management-calls.md', managementCallsPage()],
    ['docs/reference/schema.graphql', graphqlSchema()],
    ['docs/reference/openapi.json', `${JSON.stringify(describeApi(contracts), null, 2)}\n`],
  ])
}
