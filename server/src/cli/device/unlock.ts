import { type Command, print } from '../command.ts'
import { lockOptions, setLocked } from '../locked.ts'

export const deviceUnlock: Command = {
  name: 'device unlock',
  summary: 'Let a locked device speak again, with the credential that it has or another.',
  options: {
    ...lockOptions,
    reprovision: {
      meaning: 'It activates again: for firmware that drops its credential at a 403.',
      flag: true,
    },
  },
  example: 'npx millrace device unlock --connector demo --identity my-device',
  async run(values) {
    const reprovision = values.reprovision === 'yes'
    const identity = await setLocked(values, false, reprovision)
    print(`${identity} is unlocked${reprovision ? ' and must activate again' : ''}`)
    if (!reprovision) print('Where its firmware has dropped its credential, say --reprovision')
    return 0
  },
}
