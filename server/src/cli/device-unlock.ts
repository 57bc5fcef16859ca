import { type Command, print } from './command.ts'
import { lockOptions, setLocked } from './locked.ts'

export const deviceUnlock: Command = {
  name: 'device unlock',
  summary: 'Let a locked device speak again, with the credential that it has.',
  options: lockOptions,
  example: 'npx millrace device unlock --connector demo --identity my-device',
  async run(values) {
    print(`${await setLocked(values, false)} is unlocked`)
    return 0
  },
}
