import { resolve } from 'node:path'
import { applyLimits } from '../../foundation/kernel/index.ts'
import { configTemplate, limitsTemplate, readLimits } from '../config/index.ts'
import { type Command, print } from './command.ts'

export const config: Command = {
  name: 'config',
  summary: 'Print every setting, and every limit that can be set.',
  options: {},
  example: 'npx millrace config > millrace.env',
  async run(_values, invocation) {
    applyLimits(readLimits(invocation.env, resolve(invocation.folder)))
    print(invocation, `${configTemplate()}\n${limitsTemplate()}`)
    return 0
  },
}
