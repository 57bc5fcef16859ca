import { type Command, print } from '../command.ts'
import { lockOptions, setLocked } from '../locked.ts'

export const deviceUnlock: Command = {
  name: 'device unlock',
  summary: 'Unlock a device; it keeps its credential, or activates again with --reprovision.',
  options: {
    ...lockOptions,
    reprovision: {
      meaning: 'Order it to activate again: for firmware that drops its credential at a 403.',
      flag: true,
    },
  },
  example: 'npx millrace device unlock --connector demo --identity my-device',
  async run(values) {
    const reprovision = values.reprovision === 'yes'
    const identity = await setLocked(values, false, reprovision)
    print(`${identity} is unlocked${reprovision ? ' and must activate again' : ''}`)
    if (!reprovision) print('If its firmware has dropped its credential, add --reprovision')
    return 0
  },
}
