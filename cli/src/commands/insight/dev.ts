import { resolve } from 'node:path'
import { runDev } from '@millrace/insight-sdk/commands'
import { defineCommand, exitCodes } from '../../command.ts'
import { asUsage } from './usage.ts'

export const insightDev = defineCommand({
  options: {
    program: {
      meaning: 'The program, or its command; it listens on HOST and PORT. Default: main.js or .ts.',
    },
    signals: { meaning: 'A file of recorded signals.', default: 'signals.json' },
    port: { meaning: 'The port of the module. Default: a free one.' },
    'page-port': { meaning: 'The port of the page that shows the calls. Default: a free one.' },
  },
  operand: 'program',
  example: 'npx millrace insight dev main.js',
  routes: [],
  async run({ program, signals, port, 'page-port': pagePort }, { out, signal, invocation }) {
    await asUsage(() =>
      runDev({
        command: program?.split(' ') ?? [],
        signals,
        port: port === undefined ? undefined : Number(port),
        pagePort: pagePort === undefined ? undefined : Number(pagePort),
        print: (line) => out.print(line),
        signal,
        env: invocation.env,
        folder: resolve(invocation.folder),
      }),
    )
    return exitCodes.done
  },
})
