import { type Command, print } from '../command.ts'
import { lockOptions, setLocked } from '../locked.ts'

export const deviceLock: Command = {
  name: 'device lock',
  summary: 'Lock a device and close its connections.',
  options: lockOptions,
  example: 'npx millrace device lock --connector demo --identity my-device',
  async run(values) {
    print(`${await setLocked(values, true)} is locked; its connections end within a second`)
    return 0
  },
}
