import { createLogger, parseRoles, processRoles } from '../../foundation/kernel/index.ts'
import { checkStart, openPlatform, serve as openPorts } from '../../main.ts'
import type { Config } from '../config/index.ts'
import type { Served } from '../platform.ts'
import { type Command, type Invocation, ownConfig, print } from './command.ts'
import { untilStopped } from './signals.ts'
import { serviceManager } from './systemd.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Run the platform without a demo, until Ctrl-C.',
  options: {
    roles: {
      meaning: 'The roles of this process: device, worker, api. Else those of MILLRACE_ROLES.',
    },
  },
  example: 'MILLRACE_DATA=./data MILLRACE_HTTP=127.0.0.1:8090 npx millrace serve',
  async run({ roles }, invocation) {
    const own = ownConfig(invocation)
    const config = roles === undefined ? own : { ...own, roles: parseRoles('--roles', roles) }
    const logger = createLogger(config.logLevel)
    const stopped = untilStopped(invocation.signal, () => config)
    await checkStart(config)
    const platform = await openPlatform({ config, logger, owner: true })
    const served = await openPorts(platform).catch(async (error) => {
      await platform.close()
      throw error
    })
    await printAddresses(served, config, invocation)
    if (config.compatibility.length > 0) print(invocation, profilesOn(config))
    const manager = serviceManager(invocation.env)
    manager.ready()
    await stopped
    manager.stopping()
    await served.close()
    return 0
  },
}

/** Prints where the instance answers, and how the first account is made. */
export async function printAddresses(
  served: Served,
  { roles }: Pick<Config, 'roles'>,
  output: Pick<Invocation, 'stdout'>,
): Promise<void> {
  const secure = roles.includes('device') ? `; devices over TLS at ${served.tlsUrl}` : ''
  print(output, `Millrace answers at ${served.httpUrl}${secure}`)
  if (roles.length < processRoles.length) print(output, `This process is: ${roles.join(', ')}`)
  if (!roles.includes('api')) return
  const link = await served.firstAccountUrl()
  if (link === undefined) return
  print(output, `There is no account yet. Make the first one at ${link}`)
  print(output, 'The link is valid once, while this process runs.')
}

/** The line of the start about the active compatibility profiles. */
export function profilesOn({ compatibility }: Pick<Config, 'compatibility'>): string {
  return `Compatibility with ${compatibility.join(', ')} is on (MILLRACE_COMPATIBILITY)`
}
