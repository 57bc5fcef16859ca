import type { components, operations } from '@millrace/client'
import { command } from '../../command.ts'
import { yesOrNo } from '../../input.ts'
import { list, operation } from '../../operation.ts'
import { columns } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

type Schemas = components['schemas']
type ResourceChange = operations['updateResources']['requestBody']['content']['application/json']

/** The commands of connectors. */
export const commands = {
  'connector create': operation('createConnector', {
    summary: 'Create a connector, and print its id and its host.',
    options: {
      name: { meaning: 'The name of the connector.', required: true },
      id: 'Its id, the first label of its host. Default: generated.',
      'self-register': {
        as: 'provisioning.generate_identity',
        read: yesOrNo,
        default: 'no',
        meaning: 'yes: devices may register themselves.',
      },
      devmode: {
        as: 'protocol.devmode',
        read: yesOrNo,
        default: 'no',
        meaning: 'yes: devices may connect without encryption.',
      },
    },
    lines: ({ id, fqdn }) => [`${id}  ${fqdn}`],
    example: 'npx millrace connector create --name "Cold store" --self-register yes --devmode yes',
  }),
  'connector import': command('Create a connector from an exported definition, YAML or JSON.', {
    options: {
      file: { meaning: 'The exported definition, or its resources by alias.', required: true },
      id: { meaning: 'Its id, the first label of its host. Default: generated.' },
      name: { meaning: 'Its name, in place of the name in the definition.' },
    },
    example:
      `printf 'resources: {level: {format: number, initial: 0}}' > product.yaml && ` +
      'npx millrace connector import --file product.yaml --name Imported',
    routes: ['importConnector'],
    async run({ file, id, name }, { call, input, out }) {
      const { id: _own, ...definition } = definitionIn(await input.yamlOfFile('file', file))
      const given = { ...(name !== undefined && { name }), ...(id !== undefined && { id }) }
      const made = await call('importConnector', {}, { ...definition, ...given })
      const dropped = `Left out, as it has no meaning here: ${made.dropped.join(', ')}`
      out.show(made, () => [
        `${made.id}  ${made.fqdn}`,
        ...(made.dropped.length === 0 ? [] : [dropped]),
      ])
    },
  }),
  'connector settings': command(
    'Show the settings of a connector, or change those that a file names.',
    {
      options: {
        connector: connectorOption,
        file: {
          meaning: 'JSON in the shape that is shown; omitted fields stay; resources are replaced.',
        },
      },
      example: 'npx millrace connector settings --connector demo',
      routes: ['getConnector', 'updateConnector'],
      async run({ connector, file }, { call, input, out }) {
        // The instance checks what the file holds.
        const change = file === undefined ? undefined : await input.jsonOfFile('file', file)
        const settings =
          change === undefined
            ? await call('getConnector', { connector })
            : await call('updateConnector', { connector }, change)
        // Its id is no setting: the output may be given as --file.
        const { id: _id, ...shown } = settings
        out.show(settings, () => [JSON.stringify(shown, null, 2)])
      },
    },
  ),
  'connector resources': command(
    'Show the resources of a connector; with --file and --remove, change some first.',
    {
      options: {
        connector: connectorOption,
        file: { meaning: 'Resources by alias, JSON or YAML; other resources stay.' },
        remove: {
          meaning: 'The alias of a resource to remove; may be given several times.',
          many: true,
        },
      },
      example:
        `printf 'valve: {format: boolean, settable: true}' > resources.yaml && ` +
        'npx millrace connector resources --connector demo --file resources.yaml && ' +
        'npx millrace connector resources --connector demo --remove valve',
      routes: ['updateResources', 'getConnector'],
      async run({ connector, file, remove }, { call, input, out }) {
        const defined = file === undefined ? {} : await input.yamlOfFile('file', file)
        const removed = Object.fromEntries(remove.map((alias) => [alias, null]))
        const change = { ...defined, ...removed } as ResourceChange
        const resources =
          file !== undefined || remove.length > 0
            ? await call('updateResources', { connector }, change)
            : (await call('getConnector', { connector })).resources
        out.show(resources, () => resourceLines(resources))
      },
    },
  ),
  'connector logs': {
    summary:
      'Print the log of a connector, oldest line first; with --follow, keep printing new lines.',
    load: async () => (await import('./logs.ts')).connectorLogs,
  },
  'connector list': list('listConnectors', 'connectors', {
    summary: 'Print the connectors of a business.',
    row: ({ id, fqdn, protocol, name }) => {
      return [id, fqdn, protocol.devmode ? 'developer mode' : 'encrypted only', name]
    },
    example: 'npx millrace connector list',
  }),
  'connector addresses': command('Print the addresses that the devices of a connector call.', {
    options: {
      connector: connectorOption,
      authority: {
        meaning: 'Print the certificate that devices trust (PEM) in place of the addresses.',
        flag: true,
      },
    },
    example: 'npx millrace connector addresses --connector demo --authority > ca.pem',
    routes: ['getDeviceAddresses'],
    async run({ connector, authority }, { call, out }) {
      const addresses = await call('getDeviceAddresses', { connector })
      out.show(addresses, () => {
        if (authority) return addresses.ca === null ? [] : [addresses.ca.trimEnd()]
        return addressLines(addresses)
      })
    },
  }),
  'connector delete': operation('deleteConnector', {
    summary:
      'Delete a connector with its settings, contents and values, and close its connections.',
    options: { cascade: 'Delete all that depends on it too, without its name.' },
    preview: 'getConnectorDependants',
    confirm: 'Delete the connector {connector} with all that it has?',
    done: 'the connector {connector} is deleted',
    example:
      'npx millrace connector create --id gone2 --name Gone && ' +
      'npx millrace connector delete --connector gone2 --yes',
  }),
}

/** A file of resources alone has their aliases at its top. */
function definitionIn(fields: Readonly<Record<string, unknown>>) {
  const isResource = (one: unknown) => typeof one === 'object' && one !== null && 'format' in one
  return Object.values(fields).every(isResource) ? { id: undefined, resources: fields } : fields
}

function resourceLines(resources: Readonly<Record<string, Schemas['Resource']>>): string[] {
  const rows = Object.entries(resources).map(([alias, { format, unit, settable, allowed }]) => {
    const rules = [...(unit === undefined ? [] : [unit]), ...(settable ? ['settable'] : [])]
    return [alias, format, [...rules, ...allowed.map((one) => JSON.stringify(one))].join(', ')]
  })
  return columns(rows).map((line) => line.trimEnd())
}

function addressLines({ http, https, mqtt, mqtts }: Schemas['DeviceAddresses']): string[] {
  const addresses = {
    https,
    mqtts,
    'http, in developer mode': http,
    'mqtt, in developer mode': mqtt,
  }
  const rows = Object.entries(addresses)
  return columns(rows.flatMap(([name, url]) => (url === null ? [] : [[name, url]])))
}
