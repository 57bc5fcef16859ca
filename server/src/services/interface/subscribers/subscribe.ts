import { invalidField, isJsonObject, limits, objectField } from '../../../kernel/index.ts'
import type { ConfiguredService, ConfigureInput, ScriptingApi } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import type { Exposed } from '../exposed/exposed.ts'
import { isPresent } from '../fields.ts'
import { checkParameters } from './subscription.ts'

/**
 * Checks the configuration of a subscription, a new one or a changed one.
 * @throws Fault invalid_argument
 */
export async function configureSubscription(
  scripts: ScriptingApi,
  exposed: Exposed,
  { before, body }: ConfigureInput,
): Promise<ConfiguredService> {
  const { parameters, triggers = {}, quota } = objectField('subscription', body, fields)
  if (isPresent(quota)) throw invalidField('quota', 'is set by the solution that is exposed')
  if (!isJsonObject(triggers)) throw invalidField('triggers', 'must be an object')
  if (before === undefined) await refuseMany(scripts, exposed)
  return {
    alias: exposed.definition.default_script_key,
    parameters: checkParameters(exposed, parameters),
    triggers,
  }
}

const fields = ['parameters', 'triggers', 'quota']

async function refuseMany(
  { configurations }: ScriptingApi,
  { solutionId }: Exposed,
): Promise<void> {
  const { total } = await configurations.ofService(solutionId, { offset: 0, limit: 1 })
  if (total >= limits.subscribersMax) throw refusals.tooManySubscribers(limits.subscribersMax)
}
