import {
  AnyValue,
  createSettingsParser,
  RecordOf,
  StrictObject,
  Type,
} from '../../../../foundation/kernel/index.ts'
import type { ConfiguredService, ConfigureInput, ScriptingApi } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import { interfaceLimits } from '../limits.ts'
import { checkParameters } from './subscription.ts'

const fieldsByName = () => Type.Optional(RecordOf(AnyValue<unknown>()))

const parse = createSettingsParser(
  () =>
    StrictObject({
      parameters: fieldsByName(),
      triggers: fieldsByName(),
      quota: Type.Optional(Type.Null({ rule: 'is set by the solution that is exposed' })),
    }),
  'subscription',
  '',
)

/**
 * Checks the configuration of a subscription, a new one or a changed one.
 * @throws Fault invalid_argument
 */
export async function configureSubscription(
  scripts: ScriptingApi,
  exposed: Exposed,
  { before, body }: ConfigureInput,
): Promise<ConfiguredService> {
  const { parameters, triggers = {} } = parse(body)
  if (before === undefined) await refuseMany(scripts, exposed)
  return {
    alias: exposed.definition.default_script_key,
    parameters: checkParameters(exposed, parameters),
    triggers,
  }
}

async function refuseMany(
  { configurations }: ScriptingApi,
  { solutionId }: Exposed,
): Promise<void> {
  const { total } = await configurations.ofService(solutionId, { offset: 0, limit: 1 })
  if (total >= interfaceLimits.subscribersMax)
    throw refusals.tooManySubscribers(interfaceLimits.subscribersMax)
}
