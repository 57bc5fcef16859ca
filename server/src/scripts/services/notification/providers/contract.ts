import {
  createSettingsParser,
  Nullable,
  RecordOf,
  StrictObject,
  secretNames,
  type TSchema,
  Type,
} from '../../../../foundation/kernel/index.ts'
import type { Configuration, ServiceSettings } from '../../../scripting/index.ts'
import { isSid } from '../ids.ts'
import { notificationLimits } from '../limits.ts'
import { channels, type Provider } from '../sending/channel.ts'

const sidRule = 'must be 34 letters and digits, or empty'

/** The spec's pattern: 34 letters and digits, or nothing. */
const sid = (title: string, description: string) =>
  Type.Optional(
    Nullable(
      Type.Refine(
        Type.String({ title, description, rule: sidRule }),
        (text) => text === '' || isSid(text),
        () => sidRule,
      ),
    ),
  )

function createAccountSchema() {
  const most = notificationLimits.notificationNameCharsMax
  return StrictObject({
    AccountSid: sid('Account SID', 'The account at Twilio, and of the REST API.'),
    AuthToken: Type.Optional(
      Nullable(
        Type.String({
          title: 'Auth token',
          description: 'The secret of the account.',
          writeOnly: true,
          maxLength: most,
          rule: `must be a string of at most ${most} characters`,
        }),
      ),
    ),
    MessagingServiceSid: sid('Messaging service SID', 'The sender of SMS, at Twilio.'),
    ServiceSid: sid('Service SID', 'The only service of the REST API; empty: all.'),
  })
}

/** Reads all settings but those of the providers. @throws Fault invalid_argument */
export const parseAccount = createSettingsParser(
  createAccountSchema,
  'The notification service',
  '',
)

/** The settings of one provider, as a configuration has them. */
function providerSchema({ name, schema }: Provider): TSchema {
  const { notificationRatePerSecondMin: minimum, notificationRatePerSecondMax: maximum } =
    notificationLimits
  const fields = schema.properties
  const hasFields = Object.keys(fields).length > 0
  return StrictObject(
    {
      provider: Type.Literal(name),
      ...fields,
      RatePerSecond: Type.Optional(
        Type.Number({
          title: 'Rate',
          description: 'Attempts that may begin in a second.',
          minimum,
          maximum,
        }),
      ),
      ...(hasFields && {
        Credentials: Type.Optional(
          RecordOf(StrictObject(fields), {
            title: 'Other credentials',
            description: 'By the CredentialSid that bindings name.',
          }),
        ),
      }),
    },
    { title: name },
  )
}

/** The contract of the settings of the service. */
export function settingsOfService(installed: readonly Provider[]): ServiceSettings {
  const of = (channel: string) => installed.filter((one) => one.channel === channel)
  return {
    schema() {
      const providers = channels.map((channel) => {
        const schema = Type.Union(of(channel).map(providerSchema), { title: channel })
        return [channel, Type.Optional(Nullable(schema))] as const
      })
      return StrictObject({
        ...createAccountSchema().properties,
        Providers: Type.Optional(
          StrictObject(Object.fromEntries(providers), {
            title: 'Providers',
            description: 'By channel; without one the channel has a sink, which sends nothing.',
          }),
        ),
      })
    },
    listSecrets: (configuration) => secretPointers(configuration, installed),
    hasTriggers: false,
  }
}

type Shown = {
  readonly provider?: string
  readonly Credentials?: Readonly<Record<string, unknown>>
}

/** No provider is stored without its secrets, which are all required. */
function secretPointers({ parameters, hidden }: Configuration, installed: readonly Provider[]) {
  const providers = Object.entries((parameters.Providers ?? {}) as Readonly<Record<string, Shown>>)
  const found = providers.flatMap(([channel, { provider, Credentials = {} }]) => {
    const used = installed.find((one) => one.channel === channel && one.name === provider)
    const names = used === undefined ? [] : secretNames(used.schema)
    const places = ['', ...Object.keys(Credentials).map((one) => `/Credentials/${one}`)]
    return places.flatMap((place) => names.map((name) => `/Providers/${channel}${place}/${name}`))
  })
  return [...(hidden.AuthToken === undefined ? [] : ['/AuthToken']), ...found]
}
