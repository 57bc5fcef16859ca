import { type components, type operations, unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { columns } from '../../output/output.ts'
import { connectorOption } from '../options.ts'

type Resources = Readonly<Record<string, components['schemas']['Resource']>>
type Change = operations['updateResources']['requestBody']['content']['application/json']

export const connectorResources = defineCommand({
  options: {
    connector: connectorOption,
    file: { meaning: 'Resources by alias, JSON or YAML: those are defined, the others stay.' },
    remove: { meaning: 'The alias of a resource to remove; again for another.', many: true },
  },
  example:
    `printf 'valve: {format: boolean, settable: true}' > resources.yaml && ` +
    'npx millrace connector resources --connector demo --file resources.yaml && ' +
    'npx millrace connector resources --connector demo --remove valve',
  routes: ['updateResources', 'getConnector'],
  async run({ connector, file, remove }, { client, input, out }) {
    const defined = file === undefined ? {} : await input.yamlOfFile('file', file)
    const removed = Object.fromEntries(remove.map((alias) => [alias, null]))
    // The API checks what a file defines.
    const body = { ...defined, ...removed } as Change
    const params = { path: { connector } }
    const path = '/api:1/service/{connector}/device2'
    const isChange = file !== undefined || remove.length > 0
    const api = await client()
    const resources: Resources = isChange
      ? await unwrap(api.PATCH(`${path}/resources`, { params, body }))
      : (await unwrap(api.GET(path, { params }))).resources
    out.show(resources, () => linesOf(resources))
    return undefined
  },
})

function linesOf(resources: Resources): string[] {
  const rows = Object.entries(resources).map(([alias, { format, unit, settable, allowed }]) => {
    const rules = [...(unit === undefined ? [] : [unit]), ...(settable ? ['settable'] : [])]
    return [alias, format, [...rules, ...allowed.map((one) => JSON.stringify(one))].join(', ')]
  })
  return columns(rows).map((line) => line.trimEnd())
}
