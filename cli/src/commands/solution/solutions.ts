import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { deletionOptions, showPreview } from '../../output/preview.ts'
import { solutionOption } from '../options.ts'

type SolutionChange = components['schemas']['SolutionChange']

export const solutionCreate = defineCommand({
  options: {
    name: { meaning: 'Its name.', required: true },
    id: {
      meaning: 'Its id: lower-case letters and digits, a letter first. Default: generated.',
    },
  },
  example: 'npx millrace solution create --name "Pump station"',
  routes: ['createSolution'],
  async run({ name, id }, { client, out }) {
    const api = await client()
    const body = { name, ...(id !== undefined && { id }) }
    const solution = await unwrap(api.POST('/api:1/solution', { body }))
    out.show(solution, () => [solution.id])
    return undefined
  },
})

export const solutionList = defineCommand({
  options: { text: { meaning: 'Letters of the id or the name.' } },
  example: 'npx millrace solution list',
  routes: ['listSolutions'],
  async run({ text }, { client, out }) {
    const api = await client()
    const params = { query: { ...(text !== undefined && { text }) } }
    const { solutions } = await unwrap(api.GET('/api:1/solution', { params }))
    out.show(solutions, () =>
      columns(solutions.map(({ id, version, name }) => [id, `version ${version}`, name])),
    )
    return undefined
  },
})

export const solutionShow = defineCommand({
  options: { solution: solutionOption },
  example:
    'npx millrace solution create --id show1 --name Shown && ' +
    'npx millrace solution show --solution show1',
  routes: ['getSolution', 'listConfigurations', 'listScripts'],
  async run({ solution: id }, { client, out }) {
    const api = await client()
    const params = { path: { solution: id } }
    const solution = await unwrap(api.GET('/api:1/solution/{solution}', { params }))
    const { items: services } = await unwrap(
      api.GET('/api:1/solution/{solution}/serviceconfig', { params }),
    )
    const { scripts } = await unwrap(api.GET('/api:1/solution/{solution}/script', { params }))
    out.show({ solution, services, scripts }, () => [
      `${solution.id}  version ${solution.version}  ${solution.name}`,
      ...(solution.behind === undefined ? [] : [behindLine(solution.behind)]),
      ...Object.entries(solution.limits).map(([word, value]) => `limit    ${word} ${value}`),
      ...services.map((one) => `service  ${one.script_key}  ${one.service}  ${one.id}`),
      ...scripts.map(({ kind, name, file }) => `${kind.padEnd(8)} ${name}  ${file}`),
    ])
    return undefined
  },
})

function behindLine({ pending, oldest_at: at }: { pending: number; oldest_at: number }): string {
  return `behind   ${pending} events wait, the oldest since ${new Date(at / 1_000).toISOString()}`
}

export const solutionSettings = defineCommand({
  options: {
    solution: solutionOption,
    file: { meaning: 'JSON in the shape that is shown; omitted fields stay as they are.' },
  },
  example:
    'npx millrace solution create --id set1 --name Set && ' +
    'echo \'{"reuse_vm": false, "limits": {"wall_ms": 5000}}\' > set1.json && ' +
    'npx millrace solution settings --solution set1 --file set1.json',
  routes: ['getSolution', 'updateSolution'],
  async run({ solution: id, file }, { client, input, out }) {
    const api = await client()
    const params = { path: { solution: id } }
    const route = '/api:1/solution/{solution}'
    const solution =
      file === undefined
        ? await unwrap(api.GET(route, { params }))
        : await unwrap(
            // The instance checks what the file holds.
            api.PATCH(route, {
              params,
              body: (await input.jsonOfFile('file', file)) as SolutionChange,
            }),
          )
    const { name, description, limits, reuse_vm } = solution
    const text = JSON.stringify({ name, description, limits, reuse_vm }, null, 2)
    out.show(solution, () => [text])
    return undefined
  },
})

export const solutionDelete = defineCommand({
  options: { solution: solutionOption, ...deletionOptions },
  example:
    'npx millrace solution create --id gone1 --name Gone && ' +
    'npx millrace solution delete --solution gone1 --yes',
  routes: ['deleteSolution', 'getSolutionDependants'],
  async run({ solution, 'dry-run': dry, confirm: given }, { client, out, confirm }) {
    const api = await client()
    const path = { solution }
    if (dry) {
      const url = '/api:1/solution/{solution}/dependants'
      showPreview(out, await unwrap(api.GET(url, { params: { path } })))
      return undefined
    }
    await confirm(`Delete the solution ${solution} with all that it has?`)
    const params = { path, query: { ...(given !== undefined && { confirm: given }) } }
    await unwrap(api.DELETE('/api:1/solution/{solution}', { params }))
    out.print(`${solution} is removed`)
    return undefined
  },
})

export const solutionUsage = defineCommand({
  options: { solution: solutionOption },
  example:
    'npx millrace solution create --id usage1 --name Used && ' +
    'npx millrace solution usage --solution usage1',
  routes: ['getSolutionUsage'],
  async run({ solution }, { client, out }) {
    const api = await client()
    const params = { path: { solution } }
    const { items } = await unwrap(api.GET('/api:1/solution/{solution}/usage', { params }))
    out.show(items, () =>
      columns(items.map(({ limit, used, max }) => [limit, `${used} of ${max}`])),
    )
    return undefined
  },
})
