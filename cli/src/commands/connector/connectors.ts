import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

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
    cascade: { meaning: 'Delete its identities too; required if it has any.', flag: true },
  },
  example: 'npx millrace connector delete --connector pumps --cascade --yes',
  routes: ['deleteConnector'],
  async run({ connector, cascade }, { client, out, confirm }) {
    const api = await client()
    await confirm(`Delete the connector ${connector} with all that it has?`)
    const params = { path: { connector }, query: { cascade } }
    await unwrap(api.DELETE('/api:1/connectors/{connector}', { params }))
    out.print(`the connector ${connector} is deleted`)
    return undefined
  },
})
