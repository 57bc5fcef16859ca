import { configTemplate } from '../config.ts'
import { type Command, print } from './command.ts'

export const config: Command = {
  name: 'config',
  summary: 'Print every setting with its default and its meaning.',
  options: {},
  example: 'npx millrace config > millrace.env',
  async run() {
    print(configTemplate())
    return 0
  },
}
