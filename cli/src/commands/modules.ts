import { unwrap } from '@millrace/client'
import { defineCommand } from '../command.ts'
import { columns } from '../output/output.ts'

const add = 'npx millrace module add --address http://127.0.0.1:9401'

export const moduleAdd = defineCommand({
  options: {
    name: { meaning: "The name of the module. Default: the module's own." },
    address: {
      meaning: 'Its URL. A private one must be in MILLRACE_OUTBOUND_ALLOW of the instance.',
      required: true,
    },
  },
  example: `${add} --name Vibration`,
  routes: ['addModule'],
  async run({ name, address: url }, { client, out }) {
    const api = await client()
    const body = { url, ...(name !== undefined && { name }) }
    const module = await unwrap(api.POST('/api:1/modules', { body }))
    out.show(module, () => [module.id])
    for (const complaint of module.complaints) out.note(complaint)
    return undefined
  },
})

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

export const moduleRemove = defineCommand({
  options: { id: { meaning: 'The id of the module; see millrace module list.', required: true } },
  operand: 'id',
  example: `ID=$(${add} --name Trial) && npx millrace module remove $ID --yes`,
  routes: ['removeModule'],
  async run({ id }, { client, out, confirm }) {
    const api = await client()
    await confirm(`Remove the module ${id}?`)
    const params = { path: { module: id } }
    await unwrap(api.DELETE('/api:1/modules/{module}', { params }))
    out.print(`the module ${id} is removed`)
    return undefined
  },
})
