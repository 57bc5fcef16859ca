import { Fault } from '../kernel/index.ts'
import { businessCreate } from './account/business-create.ts'
import { tokenCreate } from './account/token-create.ts'
import { type Command, helpOf, parseOptions, print, UsageError } from './command.ts'
import { config } from './config.ts'
import { caCreate } from './connector/ca-create.ts'
import { caCrl } from './connector/ca-crl.ts'
import { caShow } from './connector/ca-show.ts'
import { contentList } from './connector/content-list.ts'
import { contentPut } from './connector/content-put.ts'
import { contentRemove } from './connector/content-remove.ts'
import { contentShow } from './connector/content-show.ts'
import { connectorCreate } from './connector/create.ts'
import { connectorDelete } from './connector/delete.ts'
import { connectorImport } from './connector/import.ts'
import { connectorList } from './connector/list.ts'
import { connectorLogs } from './connector/logs.ts'
import { connectorSettings } from './connector/settings.ts'
import { deviceExtend } from './device/extend.ts'
import { deviceList } from './device/list.ts'
import { deviceLock } from './device/lock.ts'
import { deviceRemove } from './device/remove.ts'
import { deviceReprovision } from './device/reprovision.ts'
import { deviceRotate } from './device/rotate.ts'
import { deviceSimulate } from './device/simulate.ts'
import { deviceState } from './device/state.ts'
import { deviceTags } from './device/tags.ts'
import { deviceUnlock } from './device/unlock.ts'
import { deviceWhitelist } from './device/whitelist.ts'
import { deviceWindows } from './device/windows.ts'
import { interfaceCheck } from './interface/check.ts'
import { interfaceClient } from './interface/client.ts'
import { interfaceQuota } from './interface/quota.ts'
import { interfaceShow } from './interface/show.ts'
import { interfaceSubscribers } from './interface/subscribers.ts'
import { ledgerShow } from './ledger/show.ts'
import { ledgerVerify } from './ledger/verify.ts'
import { notificationsChannels } from './notifications/channels.ts'
import { notificationsImport } from './notifications/import.ts'
import { notificationsList } from './notifications/list.ts'
import { notificationsShow } from './notifications/show.ts'
import { notificationsSink } from './notifications/sink.ts'
import { outboundAllow } from './outbound/allow.ts'
import { outboundList } from './outbound/list.ts'
import { moduleAdd } from './outbound/module-add.ts'
import { outboundRemove } from './outbound/remove.ts'
import { serve } from './serve.ts'
import { endWithLauncher, Interrupted } from './signals.ts'
import { solutionCreate } from './solution/create.ts'
import { solutionDelete } from './solution/delete.ts'
import { solutionDev } from './solution/dev.ts'
import { solutionFailures } from './solution/failures.ts'
import { solutionList } from './solution/list.ts'
import { solutionLogs } from './solution/logs.ts'
import { solutionPull } from './solution/pull.ts'
import { solutionPush } from './solution/push.ts'
import { solutionRetry } from './solution/retry.ts'
import { solutionRun } from './solution/run.ts'
import { solutionServiceAdd } from './solution/service-add.ts'
import { solutionServiceList } from './solution/service-list.ts'
import { solutionServiceRemove } from './solution/service-remove.ts'
import { solutionSettings } from './solution/settings.ts'
import { solutionShow } from './solution/show.ts'
import { solutionTest } from './solution/test.ts'
import { upkeepConfirm } from './upkeep-confirm.ts'

/** Every sub-command but `start`, which dev/millrace.mjs runs. */
export const commands: readonly Command[] = [
  serve,
  config,
  businessCreate,
  tokenCreate,
  connectorCreate,
  connectorDelete,
  connectorImport,
  connectorList,
  connectorSettings,
  connectorLogs,
  caCreate,
  caShow,
  caCrl,
  contentList,
  contentPut,
  contentShow,
  contentRemove,
  deviceWhitelist,
  deviceList,
  deviceState,
  deviceTags,
  deviceLock,
  deviceUnlock,
  deviceRemove,
  deviceReprovision,
  deviceRotate,
  deviceExtend,
  deviceWindows,
  deviceSimulate,
  moduleAdd,
  outboundAllow,
  outboundList,
  outboundRemove,
  solutionCreate,
  solutionList,
  solutionShow,
  solutionSettings,
  solutionDelete,
  solutionPush,
  solutionPull,
  solutionDev,
  solutionTest,
  solutionLogs,
  solutionFailures,
  solutionRetry,
  solutionRun,
  solutionServiceAdd,
  solutionServiceList,
  solutionServiceRemove,
  interfaceShow,
  interfaceSubscribers,
  interfaceQuota,
  interfaceClient,
  interfaceCheck,
  notificationsImport,
  notificationsList,
  notificationsShow,
  notificationsSink,
  notificationsChannels,
  ledgerShow,
  ledgerVerify,
  upkeepConfirm,
]

const misuse = 2
const interrupted = 130

/** Runs a command line. @returns the exit code: 0 done, 1 failed, 2 a wrong command line. */
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
    // An interrupted command may still wait for its input or an answer.
    if (error instanceof Interrupted) process.exit(interrupted)
    process.stderr.write(`millrace ${command.name}: ${sentenceOf(error)}\n`)
    if (!(error instanceof UsageError)) return 1
    process.stderr.write(`\n${helpOf(command)}`)
    return misuse
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Fault)) return (error as Error).message
  return error.reason === undefined ? error.detail : `${error.detail}: ${error.reason}`
}

function isCall(name: string, args: readonly string[]): boolean {
  return name.split(' ').every((word, at) => args[at] === word)
}

function overview(args: readonly string[]): number {
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
    print(lines.join('\n'))
    return 0
  }
  process.stderr.write(`millrace: there is no command "${args.join(' ')}"\n\n${lines.join('\n')}\n`)
  return misuse
}

if (import.meta.main) {
  endWithLauncher()
  for (const stream of [process.stdout, process.stderr]) stream.once('error', endWithReader)
  process.exitCode = await runCommand(process.argv.slice(2))
}

/** Ends a running command when its reader is gone: `millrace solution dev … | head`. */
function endWithReader(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  // EIO: the terminal is gone.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  // Further output fails as well.
  this.on('error', () => {})
  process.emit('SIGINT')
}
