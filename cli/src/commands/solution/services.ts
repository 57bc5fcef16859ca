import { unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { solutionOption } from '../options.ts'

export const solutionServiceAdd = defineCommand({
  options: {
    solution: solutionOption,
    service: { meaning: 'Its name, or the id of a connector or a solution.', required: true },
    key: { meaning: "Its name in scripts. Default: the service's own." },
    config: { meaning: 'Its configuration, as JSON.', default: '{}' },
  },
  example:
    'npx millrace solution create --id serve1 --name Served && ' +
    'npx millrace solution service add --solution serve1 --service demo --key pumps',
  routes: ['addConfiguration'],
  async run({ solution, service, key, config }, { client, out }) {
    const wanted = { service, ...(key !== undefined && { script_key: key }) }
    const body = Object.assign(objectOf(config), wanted)
    const api = await client()
    const params = { path: { solution } }
    const added = await unwrap(
      api.POST('/api:1/solution/{solution}/serviceconfig', { params, body }),
    )
    out.show(added, () => [`${added.id}  ${added.script_key}`])
    return undefined
  },
})

function objectOf(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError('--config is no JSON')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError('--config is a JSON object')
}

export const solutionServiceList = defineCommand({
  options: { solution: solutionOption },
  example:
    'npx millrace solution create --id list1 --name Listed && ' +
    'npx millrace solution service list --solution list1',
  routes: ['listConfigurations'],
  async run({ solution }, { client, out }) {
    const api = await client()
    const params = { path: { solution } }
    const { items } = await unwrap(api.GET('/api:1/solution/{solution}/serviceconfig', { params }))
    out.show(items, () => items.map((one) => `${one.id}  ${one.script_key}  ${one.service}`))
    return undefined
  },
})

export const solutionServiceRemove = defineCommand({
  options: {
    solution: solutionOption,
    key: { meaning: 'Its name in scripts.', required: true },
  },
  example:
    'npx millrace solution create --id less1 --name Less && ' +
    'npx millrace solution service add --solution less1 --service demo --key pumps && ' +
    'npx millrace solution service remove --solution less1 --key pumps --yes',
  routes: ['listConfigurations', 'removeConfiguration'],
  async run({ solution, key }, { client, out, confirm }) {
    const api = await client()
    const params = { path: { solution } }
    const route = '/api:1/solution/{solution}/serviceconfig'
    const { items } = await unwrap(api.GET(route, { params }))
    const found = items.find((one) => one.script_key.toLowerCase() === key.toLowerCase())
    if (found === undefined) throw new UsageError(`the solution has no service ${key}`)
    await confirm(`Remove the service ${found.script_key} with its settings?`)
    const { id, script_key: name } = found
    await unwrap(api.DELETE(`${route}/{id}`, { params: { path: { solution, id } } }))
    out.print(`${name} is removed`)
    return undefined
  },
})
