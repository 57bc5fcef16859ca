import { type components, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { yesOrNo } from '../../input.ts'
import { columns } from '../../output/output.ts'
import { deletionOptions, showPreview } from '../../output/preview.ts'
import { connectorOption } from '../options.ts'

type Schemas = components['schemas']

export const connectorCreate = defineCommand({
  options: {
    name: { meaning: 'The name of the connector.', required: true },
    id: { meaning: 'Its id, the first label of its host. Default: generated.' },
    'self-register': { meaning: 'yes: devices may register themselves.', default: 'no' },
    devmode: { meaning: 'yes: devices may connect without encryption.', default: 'no' },
  },
  example: 'npx millrace connector create --name "Cold store" --self-register yes --devmode yes',
  routes: ['createConnector'],
  async run({ name, id, devmode, 'self-register': selfRegister }, { client, out }) {
    const body: Schemas['NewConnector'] = {
      ...(id !== undefined && { id }),
      name,
      protocol: { devmode: yesOrNo('devmode', devmode) },
      provisioning: { generate_identity: yesOrNo('self-register', selfRegister) },
    }
    const api = await client()
    const made = await unwrap(api.POST('/api:1/connectors', { body }))
    out.show(made, () => [`${made.id}  ${made.fqdn}`])
    return undefined
  },
})

export const connectorImport = defineCommand({
  options: {
    file: { meaning: 'The exported definition, or its resources by alias.', required: true },
    id: { meaning: 'Its id, the first label of its host. Default: generated.' },
    name: { meaning: 'Its name, in place of the name in the definition.' },
  },
  example:
    `printf 'resources: {level: {format: number, initial: 0}}' > product.yaml && ` +
    'npx millrace connector import --file product.yaml --name Imported',
  routes: ['importConnector'],
  async run({ file, id, name }, { client, input, out }) {
    const { id: _own, ...rest } = definitionIn(await input.yamlOfFile('file', file))
    const given = { ...(name !== undefined && { name }), ...(id !== undefined && { id }) }
    // The route takes a definition as it was exported, which has no type.
    const body = Object.assign(rest, given) as Record<string, never>
    const api = await client()
    const made = await unwrap(api.POST('/api:1/connectors/import', { body }))
    out.show(made, () => [
      `${made.id}  ${made.fqdn}`,
      ...(made.dropped.length === 0
        ? []
        : [`Left out, as it has no meaning here: ${made.dropped.join(', ')}`]),
    ])
    return undefined
  },
})

/** A file of resources alone has their aliases at its top. */
function definitionIn(fields: Readonly<Record<string, unknown>>) {
  const isResource = (one: unknown) => typeof one === 'object' && one !== null && 'format' in one
  return Object.values(fields).every(isResource) ? { id: undefined, resources: fields } : fields
}

export const connectorSettings = defineCommand({
  options: {
    connector: connectorOption,
    file: {
      meaning: 'JSON in the shape that is shown; omitted fields stay; resources are replaced.',
    },
  },
  example: 'npx millrace connector settings --connector demo',
  routes: ['getConnector', 'updateConnector'],
  async run({ connector, file }, { client, input, out }) {
    const change = file === undefined ? undefined : await input.jsonOfFile('file', file)
    const api = await client()
    const path = '/api:1/service/{connector}/device2'
    const params = { path: { connector } }
    const body = change as Schemas['ConnectorChange']
    const settings =
      file === undefined
        ? await unwrap(api.GET(path, { params }))
        : await unwrap(api.PATCH(path, { params, body }))
    // Its id is no setting: the output may be given as --file.
    const { id: _id, ...shown } = settings
    out.show(settings, () => [JSON.stringify(shown, null, 2)])
    return undefined
  },
})

export const connectorList = defineCommand({
  options: {},
  example: 'npx millrace connector list',
  routes: ['listConnectors'],
  async run(_values, { client, out }) {
    const api = await client()
    const { connectors } = await unwrap(api.GET('/api:1/connectors'))
    out.show(connectors, () =>
      columns(
        connectors.map(({ id, fqdn, protocol, name }) => {
          return [id, fqdn, protocol.devmode ? 'developer mode' : 'encrypted only', name]
        }),
      ),
    )
    return undefined
  },
})

export const connectorDelete = defineCommand({
  options: {
    connector: connectorOption,
    cascade: { meaning: 'Delete all that depends on it too, without its name.', flag: true },
    ...deletionOptions,
  },
  example:
    'npx millrace connector create --id gone2 --name Gone && ' +
    'npx millrace connector delete --connector gone2 --yes',
  routes: ['deleteConnector', 'getConnectorDependants'],
  async run({ connector, cascade, 'dry-run': dry, confirm: given }, { client, out, confirm }) {
    const api = await client()
    const path = { connector }
    if (dry) {
      const params = { path }
      const url = '/api:1/connectors/{connector}/dependants'
      showPreview(out, await unwrap(api.GET(url, { params })))
      return undefined
    }
    await confirm(`Delete the connector ${connector} with all that it has?`)
    const params = { path, query: { cascade, ...(given !== undefined && { confirm: given }) } }
    await unwrap(api.DELETE('/api:1/connectors/{connector}', { params }))
    out.print(`the connector ${connector} is deleted`)
    return undefined
  },
})
