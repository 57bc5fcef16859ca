import { Fault } from '../kernel/index.ts'
import { businessCreate } from './business-create.ts'
import { caCreate } from './ca-create.ts'
import { caShow } from './ca-show.ts'
import { type Command, helpOf, parseOptions, print, UsageError } from './command.ts'
import { config } from './config.ts'
import { connectorCreate } from './connector-create.ts'
import { connectorList } from './connector-list.ts'
import { connectorLogs } from './connector-logs.ts'
import { deviceExtend } from './device-extend.ts'
import { deviceList } from './device-list.ts'
import { deviceLock } from './device-lock.ts'
import { deviceRemove } from './device-remove.ts'
import { deviceSimulate } from './device-simulate.ts'
import { deviceUnlock } from './device-unlock.ts'
import { deviceWhitelist } from './device-whitelist.ts'
import { deviceWindows } from './device-windows.ts'
import { ledgerShow } from './ledger-show.ts'
import { ledgerVerify } from './ledger-verify.ts'
import { moduleAdd } from './module-add.ts'
import { serve } from './serve.ts'
import { tokenCreate } from './token-create.ts'

/** Every sub-command but `start`, which dev/millrace.mjs runs. */
export const commands: readonly Command[] = [
  serve,
  config,
  businessCreate,
  tokenCreate,
  connectorCreate,
  connectorList,
  connectorLogs,
  caCreate,
  caShow,
  deviceWhitelist,
  deviceList,
  deviceLock,
  deviceUnlock,
  deviceRemove,
  deviceExtend,
  deviceWindows,
  deviceSimulate,
  moduleAdd,
  ledgerShow,
  ledgerVerify,
]

const misuse = 2

/** Runs a command line. @returns the exit code: 0 done, 1 failed, 2 the words are off. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const command = commands.find(({ name }) => isCall(name, args))
  if (command === undefined) return overview(args)
  const rest = args.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    print(helpOf(command))
    return 0
  }
  try {
    return await command.run(parseOptions(command, rest))
  } catch (error) {
    const text = error instanceof Fault ? error.detail : (error as Error).message
    process.stderr.write(`millrace ${command.name}: ${text}\n`)
    if (!(error instanceof UsageError)) return 1
    process.stderr.write(`\n${helpOf(command)}`)
    return misuse
  }
}

function isCall(name: string, args: readonly string[]): boolean {
  return name.split(' ').every((word, at) => args[at] === word)
}

function overview(args: readonly string[]): number {
  const lines = [
    'millrace <command> [options]    (millrace <command> --help tells more)',
    '',
    `  ${'start'.padEnd(18)} Run the platform with its demo, as npm start does.`,
    ...commands.map(({ name, summary }) => `  ${name.padEnd(18)} ${summary}`),
    '',
    'Settings come from the environment: millrace config prints them all.',
  ]
  const asked = args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help'
  if (asked) {
    print(lines.join('\n'))
    return 0
  }
  process.stderr.write(`millrace: there is no command "${args.join(' ')}"\n\n${lines.join('\n')}\n`)
  return misuse
}

if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2))
