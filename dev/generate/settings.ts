import { createConnectorChangeSchema } from '../../server/src/devices/provisioning/index.ts'
import {
  fieldsTable,
  StrictObject,
  secretNames,
  wireSchema,
} from '../../server/src/foundation/kernel/index.ts'
import {
  createProviders,
  type Provider,
} from '../../server/src/scripts/services/notification/providers/index.ts'

const connectorHead = `# Settings of connectors

The settings of a connector as the platform checks them: of a change, every field may be left out.
\`npm run generate\` generates this page from the schemas in \`server/src/devices/provisioning\`.
`

/** The page of the settings of connectors. */
export function connectorSettingsPage(): string {
  return `${connectorHead}\n${fieldsTable(wireSchema(createConnectorChangeSchema()), 'field')}\n`
}

const head = `# Settings of notification providers

The fields of \`Providers.<channel>\` of the notification service, beside \`provider\` and
\`RatePerSecond\` ([channels](notification-channels.md)). \`npm run generate\` generates this page
from the schemas in \`server/src/scripts/services/notification/providers\`.

A secret is encrypted and never shown; one that is left out of a change stays as it was.
\`Credentials\` has the same fields again, for each CredentialSid that bindings may name.
`

/** The page of the settings of all providers. */
export function providerSettingsPage(): string {
  // Nothing is sent: the providers are asked for their settings alone.
  const providers = createProviders({} as Parameters<typeof createProviders>[0])
  const sections = Map.groupBy(providers, ({ name }) => name)
  return [head, ...[...sections].map(([name, ofName]) => formatSection(name, ofName))].join('\n')
}

function formatSection(name: string, providers: readonly Provider[]): string {
  const channels = providers.map(({ channel }) => `\`${channel}\``).join(' and ')
  const { schema } = providers[0] ?? { schema: StrictObject({}) }
  const secrets = secretNames(schema).map((one) => `\`${one}\``)
  const note = secrets.length === 0 ? 'No field is secret.' : `Secret: ${secrets.join(', ')}.`
  return `## ${name}\n\nOf ${channels}. ${note}\n\n${fieldsTable(schema, 'field')}\n`
}
