import { type MillraceClient, unwrap } from '@millrace/client'
import { defineCommand, exitCodes, UsageError } from '../command.ts'
import type { Input } from '../input.ts'
import { columns } from '../output/output.ts'
import { deletionOptions, showPreview } from '../output/preview.ts'
import { type ParameterOptionValues, parameterOptions, parametersOf } from './module-parameters.ts'

const add = 'npx millrace module add --address http://127.0.0.1:9401'

const path = (module: string) => ({ path: { module } })

export const moduleAdd = defineCommand({
  options: {
    name: { meaning: "The name of the module. Default: the module's own." },
    address: {
      meaning:
        'Its base, or the URL of its definition. A private one must be in MILLRACE_OUTBOUND_ALLOW of the instance.',
    },
    base: { meaning: 'Where it is served, if the host of its definition is wrong.' },
    listing: { meaning: 'The id of a listing, in place of --address; see millrace listing list.' },
    ...parameterOptions,
  },
  example: `${add} --name Vibration`,
  routes: ['addModule', 'getListing'],
  async run({ name, address: url, base, listing, ...values }, { client, input, out }) {
    if ((url === undefined) === (listing === undefined)) {
      throw new UsageError('Either --address or --listing is needed')
    }
    const api = await client()
    const parameters = await parametersOf(input, await declaredBy(api, listing), values)
    const body = {
      ...(url !== undefined && { url }),
      ...(base !== undefined && { base }),
      ...(listing !== undefined && { listing }),
      ...(name !== undefined && { name }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    }
    const module = await unwrap(api.POST('/api:1/modules', { body }))
    out.show(module, () => [module.id])
    for (const complaint of module.complaints) out.note(complaint)
    return undefined
  },
})

async function declaredBy(api: MillraceClient, listing: string | undefined) {
  if (listing === undefined) return []
  const params = { path: { listing } }
  return (await unwrap(api.GET('/api:1/listings/{listing}', { params }))).parameters
}

export const moduleList = defineCommand({
  options: {},
  example: 'npx millrace module list',
  routes: ['listModules'],
  async run(_values, { client, out }) {
    const api = await client()
    const { modules } = await unwrap(api.GET('/api:1/modules'))
    out.show(modules, () =>
      columns(modules.map(({ id, url, name }) => [id, url ?? 'built in', name])),
    )
    return undefined
  },
})

const idOption = {
  meaning: 'The id of the module; see millrace module list.',
  required: true,
} as const

export const moduleShow = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `npx millrace module show $(${add} --name Shown)`,
  routes: ['getModule'],
  async run({ id }, { client, out }) {
    const api = await client()
    const module = await unwrap(api.GET('/api:1/modules/{module}', { params: path(id) }))
    const { name, url, listing, parameters, problems, complaints, health } = module
    const failures = `${health.failuresInRow} in a row, the last: ${health.lastFailure}`
    out.show(module, () =>
      columns([
        ['name', name],
        ['url', url ?? 'built in'],
        ['simulation', module.simulationSafe ? 'calls it' : 'uses what was recorded'],
        ['listing', listing === null ? 'none' : `${listing.id}${listing.own ? '' : ' of another'}`],
        ...parameters.map(({ name: parameter, secret, isSet, value, required }) => {
          const missing = required ? 'missing' : 'not set'
          const shown = secret ? 'set, not shown' : String(value)
          return ['parameter', `${parameter}: ${isSet ? shown : missing}`]
        }),
        ...problems.map(({ pointer, detail }) => ['problem', `${pointer || '/'}: ${detail}`]),
        ...complaints.map((complaint) => ['complaint', complaint]),
        ...(health.failuresInRow > 0 ? [['failures', failures]] : []),
      ]),
    )
    return undefined
  },
})

export const moduleConfigure = defineCommand({
  options: {
    id: idOption,
    name: { meaning: 'Another name.' },
    simulation: {
      meaning: 'call: simulations call it; recorded: they use its recorded results.',
      choices: ['call', 'recorded'],
    },
    ...parameterOptions,
  },
  operand: 'id',
  example: `npx millrace module configure $(${add}) --name Vibration`,
  routes: ['getModule', 'changeModule'],
  async run({ id, name, simulation, ...values }, { client, input, out }) {
    const api = await client()
    const body = {
      ...(name !== undefined && { name }),
      ...(simulation !== undefined && { simulationSafe: simulation === 'call' }),
      ...(await given({ api, input }, id, values)),
    }
    const params = path(id)
    const module = await unwrap(api.PATCH('/api:1/modules/{module}', { params, body }))
    out.show(module, () => [`the module ${id} is configured`])
    return undefined
  },
})

async function given(
  { api, input }: { api: MillraceClient; input: Input },
  id: string,
  values: ParameterOptionValues,
) {
  if (values.set.length + values['secret-file'].length === 0) return {}
  const { parameters: declared } = await unwrap(
    api.GET('/api:1/modules/{module}', { params: path(id) }),
  )
  return { parameters: await parametersOf(input, declared, values) }
}

export const moduleMove = defineCommand({
  options: {
    id: idOption,
    address: { meaning: 'Where it is served now; its links go on there.', required: true },
    ...parameterOptions,
  },
  operand: 'id',
  example: `npx millrace module move $(${add}) --address http://127.0.0.1:9401/`,
  routes: ['getModule', 'changeModule'],
  async run({ id, address: url, ...values }, { client, input, out }) {
    const api = await client()
    const params = path(id)
    const body = { url, ...(await given({ api, input }, id, values)) }
    const module = await unwrap(api.PATCH('/api:1/modules/{module}', { params, body }))
    out.show(module, () => [`the module ${id} is at ${module.url}`])
    for (const complaint of module.complaints) out.note(complaint)
    return undefined
  },
})

export const moduleRefresh = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `npx millrace module refresh $(${add})`,
  routes: ['refreshModule'],
  async run({ id }, { client, out }) {
    const api = await client()
    const module = await unwrap(api.POST('/api:1/modules/{module}/refresh', { params: path(id) }))
    out.show(module, () => [`the module ${id} is read again`])
    for (const complaint of module.complaints) out.note(complaint)
    return undefined
  },
})

export const moduleCheck = defineCommand({
  options: { id: idOption },
  operand: 'id',
  example: `npx millrace module check $(${add}) || true`,
  routes: ['checkModule'],
  async run({ id }, { client, out }) {
    const api = await client()
    const found = await unwrap(api.POST('/api:1/modules/{module}/check', { params: path(id) }))
    const { problems, complaints, failure, functions } = found
    const faults = [
      ...problems.map(({ pointer, detail }) => `definition ${pointer || '/'}: ${detail}`),
      ...complaints,
      ...(failure === null ? [] : [failure]),
    ]
    out.show(found, () => [
      ...faults,
      ...(functions === null ? [] : [`it lists ${functions} functions`]),
    ])
    return faults.length > 0 ? exitCodes.failed : undefined
  },
})

export const moduleRemove = defineCommand({
  options: {
    id: idOption,
    force: { meaning: 'Remove its links as well; their signals stay.', flag: true },
    ...deletionOptions,
  },
  operand: 'id',
  example: `ID=$(${add} --name Trial) && npx millrace module remove $ID --yes`,
  routes: ['removeModule', 'getModuleDependants'],
  async run({ id, force, 'dry-run': dry, confirm: given }, { client, out, confirm }) {
    const api = await client()
    const path = { module: id }
    if (dry) {
      const url = '/api:1/modules/{module}/dependants'
      showPreview(out, await unwrap(api.GET(url, { params: { path } })))
      return undefined
    }
    await confirm(`Remove the module ${id}${force ? ' with its links' : ''}?`)
    const query = { ...(force && { force }), ...(given !== undefined && { confirm: given }) }
    const params = { path, query }
    await unwrap(api.DELETE('/api:1/modules/{module}', { params }))
    out.print(`the module ${id} is removed`)
    return undefined
  },
})
