import { readFile } from 'node:fs/promises'
import { inWireNames, parseConnectorBody, parseDefinition } from '../../management/index.ts'
import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'
import { parseYaml } from '../solution/folder.ts'

export const connectorImport: Command = {
  name: 'connector import',
  summary: 'Create a connector from a definition that the original exported, YAML or JSON.',
  options: {
    file: { meaning: 'The exported definition.', required: true },
    id: { meaning: 'Its id, the first label of its host. Default: generated.' },
    name: { meaning: 'Its name, in place of the name in the definition.' },
    business: businessOption,
  },
  example:
    `printf 'resources: {level: {format: number, initial: 0}}' > product.yaml && ` +
    'npx millrace connector import --file product.yaml --name Imported',
  run: ({ file = '', id, name, business }) =>
    withPlatform(async (platform) => {
      const { settings, dropped } = parseDefinition(await read(file))
      const { id: _own, ...rest } = settings
      const body = Object.assign(rest, name !== undefined && { name }, id !== undefined && { id })
      const owner = await businessOf(platform, business)
      const { connectors } = platform.provisioning
      const made = await inWireNames(connectors.create(owner.id, parseConnectorBody(body)))
      print(`${made.id}  ${made.id}.${platform.config.domain}`)
      if (dropped.length > 0) print(`Left out, as it has no meaning here: ${dropped.join(', ')}`)
      return 0
    }),
}

async function read(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--file ${file} is no file that can be read`)
  })
  try {
    return parseYaml(text)
  } catch (error) {
    throw new UsageError(`--file ${file} is neither YAML nor JSON: ${(error as Error).message}`)
  }
}
