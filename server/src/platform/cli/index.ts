import { Fault } from '../../foundation/kernel/index.ts'
import { authorityExport, authorityReplace } from './authority.ts'
import { backup, backupVerify, restore } from './backup.ts'
import {
  type Command,
  formatHelp,
  type Invocation,
  parseOptions,
  print,
  UsageError,
} from './command.ts'
import { config } from './config.ts'
import { ledgerVerify } from './ledger.ts'
import { migrate, upkeepConfirm } from './maintenance.ts'
import { serve } from './serve.ts'
import { endWithLauncher, Interrupted, ownProcess } from './signals.ts'

/** Every sub-command but `start`, which dev/millrace.mjs runs. */
export const commands: readonly Command[] = [
  serve,
  config,
  migrate,
  backupVerify,
  backup,
  restore,
  authorityExport,
  authorityReplace,
  ledgerVerify,
  upkeepConfirm,
]

const misuse = 2
const interrupted = 130

/** Runs a command line. @returns the exit code: 0 done, 1 failed, 2 a wrong command line. */
export async function runCommand(args: readonly string[], invocation: Invocation): Promise<number> {
  const { stderr } = invocation
  const command = commands.find(({ name }) => isCall(name, args))
  if (command === undefined) return overview(args, invocation)
  const rest = args.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    print(invocation, formatHelp(command))
    return 0
  }
  try {
    return await command.run(parseOptions(command, rest), invocation)
  } catch (error) {
    if (error instanceof Interrupted) return interrupted
    stderr.write(`millrace ${command.name}: ${formatFailure(error)}\n`)
    if (!(error instanceof UsageError)) return 1
    stderr.write(`\n${formatHelp(command)}`)
    return misuse
  }
}

function formatFailure(error: unknown): string {
  if (!(error instanceof Fault)) return (error as Error).message
  return error.reason === undefined ? error.detail : `${error.detail}: ${error.reason}`
}

function isCall(name: string, args: readonly string[]): boolean {
  return name.split(' ').every((word, at) => args[at] === word)
}

function overview(args: readonly string[], invocation: Invocation): number {
  const lines = [
    'millrace <command> [options]    (millrace <command> --help explains one)',
    '',
    `  ${'start'.padEnd(23)} Run the platform with its demo, as npm start does.`,
    ...commands.map(({ name, summary }) => `  ${name.padEnd(23)} ${summary}`),
    '',
    'Settings come from the environment: millrace config prints them all.',
  ]
  const asked = args.length === 0 || args[0] === '--help' || args[0] === '-h' || args[0] === 'help'
  if (asked) {
    print(invocation, lines.join('\n'))
    return 0
  }
  const { stderr } = invocation
  stderr.write(`millrace: there is no command "${args.join(' ')}"\n\n${lines.join('\n')}\n`)
  return misuse
}

/** Runs a command line as this process, with its streams and signals. @returns the exit code. */
export async function launch(args: readonly string[]): Promise<number> {
  const code = await runCommand(args, ownProcess)
  // An interrupted command may still wait for its input or an answer.
  if (code === interrupted) process.exit(code)
  return code
}

if (import.meta.main) {
  endWithLauncher()
  for (const stream of [process.stdout, process.stderr]) stream.once('error', endWithReader)
  process.exitCode = await launch(process.argv.slice(2))
}

/** Ends a running command when its reader is gone: `millrace solution dev … | head`. */
function endWithReader(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  // EIO: the terminal is gone.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  // Further output fails as well.
  this.on('error', () => {})
  process.emit('SIGINT')
}
