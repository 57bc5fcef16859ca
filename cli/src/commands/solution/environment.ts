import { type components, type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { solutionOption } from '../options.ts'

type Variable = components['schemas']['Variable']

export const solutionEnv = defineCommand({
  options: { solution: solutionOption },
  example:
    'npx millrace solution create --id env1 --name Env && ' +
    'npx millrace solution env --solution env1',
  routes: ['listVariables'],
  async run({ solution }, { client, out }) {
    const api = await client()
    const params = { path: { solution } }
    const found = await unwrap(api.GET('/api:1/solution/{solution}/env', { params }))
    out.show(found, () => linesOf(found.variables))
    return undefined
  },
})

const nameOption = { meaning: 'The name of the variable.', required: true } as const

export const solutionEnvSet = defineCommand({
  options: {
    solution: solutionOption,
    name: nameOption,
    'value-file': {
      meaning: 'A file with the value; - is the standard input. Left out: the value is asked for.',
    },
  },
  example:
    'npx millrace solution create --id env2 --name Env && echo f00 | ' +
    'npx millrace solution env set --solution env2 --name TOKEN --value-file -',
  routes: ['changeVariables'],
  async run({ solution, name, 'value-file': file }, { client, input, out }) {
    const value = await input.secretOf('value-file', file, `The value of ${name}`)
    const changed = await change(await client(), solution, { [name]: value })
    out.show(changed, () => linesOf(changed.variables))
    return undefined
  },
})

export const solutionEnvRemove = defineCommand({
  options: { solution: solutionOption, name: nameOption },
  example:
    'npx millrace solution create --id env3 --name Env && ' +
    'npx millrace solution env remove --solution env3 --name TOKEN',
  routes: ['changeVariables'],
  async run({ solution, name }, { client, out }) {
    const changed = await change(await client(), solution, { [name]: null })
    out.show(changed, () => linesOf(changed.variables))
    return undefined
  },
})

/** @throws ApiError */
function change(api: MillraceClient, solution: string, values: Record<string, string | null>) {
  const params = { path: { solution } }
  return unwrap(api.PATCH('/api:1/solution/{solution}/env', { params, body: { values } }))
}

function linesOf(variables: readonly Variable[]): string[] {
  return columns(
    variables.map(({ name, is_set, has_default, required, description }) => {
      const state = is_set ? 'set' : has_default ? 'default' : required ? 'missing' : 'not set'
      return [name, state, description]
    }),
  )
}
