import type { components } from '@millrace/client'
import type { Call } from '../../call.ts'
import { command, UsageError } from '../../command.ts'
import { objectOfText } from '../../input.ts'
import { list } from '../../operation.ts'
import type { Output } from '../../output/output.ts'
import { newSolution, solutionOption } from '../options.ts'

type Configuration = components['schemas']['ServiceConfiguration']

/** A service by its name in scripts, which its operations know by an id. */
const keyOption = { meaning: 'Its name in scripts.', required: true } as const

const serving = (id: string, name: string) =>
  `${newSolution(id, name)} solution service add --solution ${id} --service demo --key pumps && ` +
  'npx millrace solution service'

/** The commands of services of a solution. */
export const serviceCommands = {
  'solution service add': command(
    'Add a service to a solution, and print the id of its configuration.',
    {
      options: {
        solution: solutionOption,
        service: { meaning: 'Its name, or the id of a connector or a solution.', required: true },
        key: { meaning: "Its name in scripts. Default: the service's own." },
        config: { meaning: 'Its configuration, as JSON.', default: '{}' },
      },
      example:
        `${newSolution('serve1', 'Served')} ` +
        'solution service add --solution serve1 --service demo --key pumps',
      routes: ['addConfiguration'],
      async run({ solution, service, key, config }, { call, out }) {
        const wanted = { service, ...(key !== undefined && { script_key: key }) }
        const body = { ...objectOfText('config', config), ...wanted }
        const added = await call('addConfiguration', { solution }, body)
        showStored(added, out)
      },
    },
  ),
  'solution service list': list('listConfigurations', 'items', {
    summary: 'Print the services of a solution.',
    line: ({ id, script_key: key, service }) => `${id}  ${key}  ${service}`,
    example: `${newSolution('list1', 'Listed')} solution service list --solution list1`,
  }),
  'solution service show': command('Print the settings of a service of a solution, as JSON.', {
    options: { solution: solutionOption, key: keyOption },
    example: `${serving('shows1', 'Shown')} show --solution shows1 --key pumps`,
    routes: ['listConfigurations', 'getConfiguration'],
    async run({ solution, key }, { call, out }) {
      const { id } = await findService(call, solution, key)
      const one = await call('getConfiguration', { solution, id })
      const { service, script_key, parameters, triggers } = one
      const text = JSON.stringify({ service, script_key, parameters, triggers }, null, 2)
      out.show(one, () => [text])
    },
  }),
  'solution service settings': command(
    'Print the settings of a service with their schema, and which secrets are set.',
    {
      options: { solution: solutionOption, key: keyOption },
      example: `${serving('forms1', 'Forms')} settings --solution forms1 --key pumps`,
      routes: ['listConfigurations', 'getServiceSettings'],
      async run({ solution, key }, { call, out }) {
        const { id } = await findService(call, solution, key)
        const settings = await call('getServiceSettings', { solution, id })
        out.show(settings, () => [JSON.stringify(settings, null, 2)])
      },
    },
  ),
  'solution service set': command('Change the settings of a service of a solution.', {
    options: {
      solution: solutionOption,
      key: keyOption,
      config: { meaning: 'Its new configuration, as JSON.' },
      file: { meaning: 'The same in a file, YAML or JSON, in place of --config.' },
      'new-key': { meaning: 'Another name in scripts.' },
      'allow-breaking': { meaning: 'Change it even if this breaks subscribers.', flag: true },
    },
    example: `${serving('sets1', 'Set')} set --solution sets1 --key pumps --new-key fans`,
    routes: ['listConfigurations', 'updateConfiguration'],
    async run({ solution, key, 'new-key': name, ...values }, { call, input, out }) {
      const { config, file, 'allow-breaking': breaking } = values
      if (config !== undefined && file !== undefined) {
        throw new UsageError('--config or --file is needed, and not both')
      }
      const wanted = config === undefined ? {} : objectOfText('config', config)
      const settings = file === undefined ? wanted : await input.yamlOfFile('file', file)
      if (name === undefined && Object.keys(settings).length === 0) {
        throw new UsageError('--config, --file or --new-key is needed')
      }
      const body = { ...settings, ...(name !== undefined && { script_key: name }) }
      const { id } = await findService(call, solution, key)
      const place = { solution, id, allow_breaking: breaking }
      const changed = await call('updateConfiguration', place, body)
      showStored(changed, out)
    },
  }),
  'solution service remove': command('Remove a service from a solution; its handlers stay.', {
    options: { solution: solutionOption, key: keyOption },
    example: `${serving('less1', 'Less')} remove --solution less1 --key pumps --yes`,
    routes: ['listConfigurations', 'removeConfiguration'],
    async run({ solution, key }, { call, out, confirm }) {
      const { id, script_key: name } = await findService(call, solution, key)
      await confirm(`Remove the service ${name} with its settings?`)
      await call('removeConfiguration', { solution, id })
      out.print(`${name} is removed`)
    },
  }),
}

function showStored(one: Configuration, out: Output): void {
  out.show(one, () => [`${one.id}  ${one.script_key}`])
  for (const note of one.change_notes ?? []) out.note(note)
}

/** Finds a service by its name in scripts. @throws UsageError without one. */
async function findService(call: Call, solution: string, key: string): Promise<Configuration> {
  const { items } = await call('listConfigurations', { solution })
  const found = items.find((one) => one.script_key.toLowerCase() === key.toLowerCase())
  if (found === undefined) throw new UsageError(`the solution has no service ${key}`)
  return found
}
