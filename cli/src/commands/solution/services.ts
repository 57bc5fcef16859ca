import { type components, type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { objectOfText } from '../../input.ts'
import { solutionOption } from '../options.ts'

const route = '/api:1/solution/{solution}/serviceconfig'

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
    const body = Object.assign(objectOfText('config', config), wanted)
    const api = await client()
    const params = { path: { solution } }
    const added = await unwrap(api.POST(route, { params, body }))
    out.show(added, () => [`${added.id}  ${added.script_key}`])
    return undefined
  },
})

export const solutionServiceList = defineCommand({
  options: { solution: solutionOption },
  example:
    'npx millrace solution create --id list1 --name Listed && ' +
    'npx millrace solution service list --solution list1',
  routes: ['listConfigurations'],
  async run({ solution }, { client, out }) {
    const api = await client()
    const params = { path: { solution } }
    const { items } = await unwrap(api.GET(route, { params }))
    out.show(items, () => items.map((one) => `${one.id}  ${one.script_key}  ${one.service}`))
    return undefined
  },
})

const keyOption = { meaning: 'Its name in scripts.', required: true } as const

export const solutionServiceShow = defineCommand({
  options: { solution: solutionOption, key: keyOption },
  example:
    'npx millrace solution create --id shows1 --name Shown && ' +
    'npx millrace solution service add --solution shows1 --service demo --key pumps && ' +
    'npx millrace solution service show --solution shows1 --key pumps',
  routes: ['listConfigurations', 'getConfiguration'],
  async run({ solution, key }, { client, out }) {
    const api = await client()
    const { id } = await serviceOf(api, solution, key)
    const params = { path: { solution, id } }
    const one = await unwrap(api.GET(`${route}/{id}`, { params }))
    const { service, script_key, parameters, triggers } = one
    const text = JSON.stringify({ service, script_key, parameters, triggers }, null, 2)
    out.show(one, () => [text])
    return undefined
  },
})

export const solutionServiceSettings = defineCommand({
  options: { solution: solutionOption, key: keyOption },
  example:
    'npx millrace solution create --id forms1 --name Forms && ' +
    'npx millrace solution service add --solution forms1 --service demo --key pumps && ' +
    'npx millrace solution service settings --solution forms1 --key pumps',
  routes: ['listConfigurations', 'getServiceSettings'],
  async run({ solution, key }, { client, out }) {
    const api = await client()
    const { id } = await serviceOf(api, solution, key)
    const params = { path: { solution, id } }
    const settings = await unwrap(api.GET(`${route}/{id}/settings`, { params }))
    out.show(settings, () => [JSON.stringify(settings, null, 2)])
    return undefined
  },
})

export const solutionServiceSet = defineCommand({
  options: {
    solution: solutionOption,
    key: keyOption,
    config: { meaning: 'Its new configuration, as JSON.' },
    file: { meaning: 'The same in a file, YAML or JSON, in place of --config.' },
    'new-key': { meaning: 'Another name in scripts.' },
    'allow-breaking': { meaning: 'Change it even if that breaks subscribers.', flag: true },
  },
  example:
    'npx millrace solution create --id sets1 --name Set && ' +
    'npx millrace solution service add --solution sets1 --service demo --key pumps && ' +
    'npx millrace solution service set --solution sets1 --key pumps --new-key fans',
  routes: ['listConfigurations', 'updateConfiguration'],
  async run({ solution, key, 'new-key': name, ...values }, { client, input, out }) {
    const { config, file, 'allow-breaking': breaking } = values
    if (config !== undefined && file !== undefined) {
      throw new UsageError('--config or --file is needed, and not both')
    }
    const wanted = config === undefined ? {} : objectOfText('config', config)
    const settings = file === undefined ? wanted : await input.yamlOfFile('file', file)
    if (name === undefined && Object.keys(settings).length === 0) {
      throw new UsageError('--config, --file or --new-key is needed')
    }
    const body = Object.assign({}, settings, name !== undefined && { script_key: name })
    const api = await client()
    const { id } = await serviceOf(api, solution, key)
    const params = { path: { solution, id }, query: { allow_breaking: breaking } }
    const changed = await unwrap(api.PATCH(`${route}/{id}`, { params, body }))
    out.show(changed, () => [`${changed.id}  ${changed.script_key}`])
    return undefined
  },
})

/** Finds a service by its name in scripts. @throws UsageError without one. */
async function serviceOf(
  api: MillraceClient,
  solution: string,
  key: string,
): Promise<components['schemas']['ServiceConfiguration']> {
  const { items } = await unwrap(api.GET(route, { params: { path: { solution } } }))
  const found = items.find((one) => one.script_key.toLowerCase() === key.toLowerCase())
  if (found === undefined) throw new UsageError(`the solution has no service ${key}`)
  return found
}

export const solutionServiceRemove = defineCommand({
  options: { solution: solutionOption, key: keyOption },
  example:
    'npx millrace solution create --id less1 --name Less && ' +
    'npx millrace solution service add --solution less1 --service demo --key pumps && ' +
    'npx millrace solution service remove --solution less1 --key pumps --yes',
  routes: ['listConfigurations', 'removeConfiguration'],
  async run({ solution, key }, { client, out, confirm }) {
    const api = await client()
    const { id, script_key: name } = await serviceOf(api, solution, key)
    await confirm(`Remove the service ${name} with its settings?`)
    await unwrap(api.DELETE(`${route}/{id}`, { params: { path: { solution, id } } }))
    out.print(`${name} is removed`)
    return undefined
  },
})
