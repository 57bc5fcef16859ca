import { errorOf } from '@millrace/client'
import { defineCommand, exitCodes } from '../../command.ts'
import { jsonOfText } from '../../input.ts'
import { callMsMax, isScriptError, scriptErrorLine } from '../../solution/runs.ts'

export const interfaceCall = defineCommand({
  options: {
    operation: { meaning: 'The name of the operation.', required: true },
    solution: {
      meaning: 'The id or script key of a solution that the business may use.',
      required: true,
    },
    argument: { meaning: 'Its arguments, as JSON. Default: none.' },
    subscriber: { meaning: 'The subscription that calls: its id, or that of its solution.' },
  },
  operand: 'operation',
  example:
    'npx millrace solution create --id offer6 --name Offering && ' +
    'npx millrace solution service add --solution offer6 --service interface --config ' +
    `'{"operations":[{"name":"double","script":"return request.x * 2",` +
    `"parameters":{"title":"request"}}]}' && ` +
    `npx millrace interface call double --solution offer6 --argument '{"x": 21}'`,
  routes: ['callOperation'],
  async run({ operation, solution, argument, subscriber }, { client, out }) {
    const given = argument === undefined ? {} : { body: jsonOfText('argument', argument) }
    const api = await client({ timeoutMs: callMsMax })
    const params = {
      path: { solution, operation },
      query: { ...(subscriber !== undefined && { subscriber }) },
    }
    const path = '/api:1/solution/{solution}/interface/{operation}'
    const { data, error, response } = await api.POST(path, Object.assign({ params }, given))
    if (response.ok) {
      const result: unknown = data ?? null
      out.show(result, () => [JSON.stringify(result, null, 2)])
      return exitCodes.done
    }
    if (!isScriptError(error)) throw errorOf(response, error)
    out.note(scriptErrorLine(error))
    return exitCodes.failed
  },
})
