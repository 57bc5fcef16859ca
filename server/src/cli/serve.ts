import { createLogger } from '../kernel/index.ts'
import { serve as openDoors, openPlatform } from '../main.ts'
import { type Command, ownConfig, print } from './command.ts'
import { untilStopped } from './signals.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'Run the platform without a demo, until Ctrl-C.',
  options: {},
  example: 'MILLRACE_DATA=./data MILLRACE_HTTP=127.0.0.1:8090 npx millrace serve',
  async run() {
    const config = ownConfig()
    const logger = createLogger(config.logLevel)
    const platform = await openPlatform({ config, logger, owner: true })
    const served = await openDoors(platform).catch(async (error) => {
      await platform.close()
      throw error
    })
    print(`Millrace answers at ${served.httpUrl}; devices over TLS at ${served.tlsUrl}`)
    await untilStopped()
    await served.close()
    return 0
  },
}
