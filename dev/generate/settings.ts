import { fieldsTable, secretNames, type TObject } from '../../server/src/kernel/index.ts'
import { wireSchema } from '../../server/src/management/index.ts'
import { createConnectorChangeSchema } from '../../server/src/provisioning/index.ts'
import {
  apnsSettings,
  fcmSettings,
  messengerSettings,
  twilioSettings,
  webhookSettings,
} from '../../server/src/services/notification/providers/index.ts'

const connectorHead = `# Settings of connectors

The settings of a connector as the platform checks them: of a change, every field may be left out.
\`npm run generate\` generates this page from the schemas in \`server/src/provisioning\`.
`

/** The page of the settings of connectors. */
export function connectorSettingsPage(): string {
  return `${connectorHead}\n${fieldsTable(wireSchema(createConnectorChangeSchema()), 'field')}\n`
}

const providers: readonly (readonly [string, string, TObject])[] = [
  ['apns', 'apn', apnsSettings],
  ['fcm', 'fcm` and `gcm', fcmSettings],
  ['twilio', 'sms', twilioSettings],
  ['webhook', 'sms', webhookSettings],
  ['messenger', 'vendor-messenger', messengerSettings],
]

const head = `# Settings of notification providers

The fields of \`Providers.<channel>\` of the notification service, beside \`provider\` and
\`RatePerSecond\` ([channels](notification-channels.md)). \`npm run generate\` generates this page
from the schemas in \`server/src/services/notification/providers\`.

A secret is encrypted and never shown; one that is left out of a change stays as it was.
\`Credentials\` has the same fields again, for each CredentialSid that bindings may name.
`

/** The page of the settings of all providers. */
export function providerSettingsPage(): string {
  const sections = providers.map(([name, channel, schema]) => {
    const secrets = secretNames(schema).map((one) => `\`${one}\``)
    const note = secrets.length === 0 ? 'No field is secret.' : `Secret: ${secrets.join(', ')}.`
    const table = fieldsTable(schema, 'field')
    return `## ${name}\n\nOf \`${channel}\`. ${note}\n\n${table}\n`
  })
  return [head, ...sections].join('\n')
}
