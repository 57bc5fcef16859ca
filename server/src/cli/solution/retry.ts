import type { ScriptValue } from '../../scripting/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { solutionOptions, withSolution } from './owner.ts'

export const solutionRetry: Command = {
  name: 'solution retry',
  summary: 'Retry events that a solution failed to handle: one, or all.',
  options: {
    ...solutionOptions,
    id: { meaning: 'The id of one failure. Default: all of them.' },
    argument: { meaning: 'The JSON argument of the handler, in place of the stored one.' },
  },
  example:
    'npx millrace solution create --id again1 --name Again && ' +
    'npx millrace solution retry --solution again1',
  run: ({ id, argument, ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      if (id === undefined) {
        if (argument !== undefined) throw new UsageError('--argument needs --id')
        print(`${await scripting.failures.retryAll(...where)} will be handled again`)
        return 0
      }
      const mended = argument === undefined ? undefined : { value: jsonOf(argument) }
      await scripting.failures.retry(...where, id, mended)
      print(`${id} will be handled again`)
      return 0
    }),
}

function jsonOf(text: string): ScriptValue {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError('--argument is no JSON')
  }
}
