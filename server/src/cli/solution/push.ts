import { createInterface } from 'node:readline/promises'
import { Fault } from '../../kernel/index.ts'
import type { Pushed } from '../../scripting/index.ts'
import { type Command, print } from '../command.ts'
import { type SolutionWork, solutionOptions, withSolution } from '../owner.ts'
import { untilStopped } from '../signals.ts'
import { printLines } from './calls.ts'
import { asWritten, type OwnFile, readFolder, writeFolder } from './folder.ts'
import { watchFolder } from './watch.ts'

export const solutionPush: Command = {
  name: 'solution push',
  summary: "Replace a solution's scripts by those of a folder, all or nothing.",
  options: {
    ...solutionOptions,
    dir: { meaning: 'The folder with .lua files, and services/*.yaml.', required: true },
    'dry-run': { meaning: 'Print what would change, and change nothing.', flag: true },
    yes: { meaning: 'Remove what the folder does not have, without asking.', flag: true },
    'allow-breaking': { meaning: 'Push even if it breaks subscribers.', flag: true },
    watch: { meaning: 'Push again at each save, and follow the log, until Ctrl-C.', flag: true },
  },
  example:
    'npx millrace solution create --id push1 --name Pushed && mkdir -p push1 && ' +
    `echo 'log.info("tick")' > push1/timer_tick.lua && ` +
    'npx millrace solution push --solution push1 --dir push1',
  run: ({ dir = '', watch: watched, yes, ...values }) =>
    withSolution(values, async (opened) => {
      const flag = (name: 'allow-breaking' | 'dry-run') => values[name] !== undefined
      const options = { allowBreaking: flag('allow-breaking'), dryRun: flag('dry-run') }
      const work = { ...opened, dir, options }
      if (watched === undefined) return pushOnce(work, yes !== undefined)
      const keep = yes === undefined
      work.platform.activity.solutions.follow(...work.where, printLines)
      const stop = watchFolder(dir, () => pushAndTell(work, keep))
      await untilStopped()
      await stop()
      return 0
    }),
}

type PushWork = SolutionWork & {
  readonly dir: string
  readonly options: { readonly allowBreaking: boolean; readonly dryRun: boolean }
}

/** The exit code if something would be removed, without a confirmation. */
const kept = 3

/** Scripts that the folder does not have are removed only after a confirmation. */
async function pushOnce({ scripting, where, dir, options }: PushWork, yes: boolean) {
  const files = await readFolder(dir)
  const push = (more: { dryRun?: boolean; keep?: boolean } = {}) =>
    scripting.folders.push(...where, files, { ...options, ...more }).catch((error) => {
      throw saidAsWritten(error, files)
    })
  if (options.dryRun) {
    printPushed(await push())
    return 0
  }
  const { removed } = await push({ dryRun: true })
  const keep = removed.length > 0 && !yes && !(await agreed(removed))
  const pushed = await push({ keep })
  printPushed(pushed)
  return pushed.kept === undefined ? 0 : kept
}

function saidAsWritten(error: unknown, files: readonly OwnFile[]): unknown {
  if (!(error instanceof Fault)) return error
  return new Fault(error.code, asWritten(error.detail, files))
}

async function agreed(removed: Pushed['removed']): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const names = removed.map(({ kind, name }) => `  ${kind} ${name}\n`).join('')
  const answer = await asking.question(`The folder does not have\n${names}Remove? [y/N] `)
  asking.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

/** An invalid folder does not end the watch: the next save may fix it. */
async function pushAndTell(work: PushWork, keep: boolean): Promise<void> {
  const { platform, scripting, where, dir, options } = work
  let files: OwnFile[] = []
  try {
    files = await readFolder(dir)
    const pushed = await scripting.folders.push(...where, files, { ...options, keep })
    await platform.database.hints.reached('solutions')
    printPushed(pushed)
  } catch (error) {
    const text = error instanceof Fault ? error.detail : (error as Error).message
    process.stderr.write(`${asWritten(text, files)}\n`)
  }
}

export function printPushed({
  services,
  unchanged,
  kept: stay = [],
  project,
  ...changes
}: Pushed): void {
  let lines = 0
  const say = (what: string, thing: string) => {
    lines += 1
    print(`${what.padEnd(9)} ${thing}`)
  }
  for (const [what, scripts] of Object.entries<Pushed['added']>(changes)) {
    for (const { kind, name } of scripts) say(what, `${kind} ${name}`)
  }
  for (const { kind, name } of stay) say('kept', `${kind} ${name} (--yes removes it)`)
  for (const alias of services.added) say('added', `service ${alias}`)
  for (const alias of services.changed) say('changed', `service ${alias}`)
  if (project !== undefined) say(project, 'murano.yaml')
  if (lines === 0) print('nothing changed')
  print(`unchanged ${unchanged.length + services.unchanged.length}`)
}

export const solutionPull: Command = {
  name: 'solution pull',
  summary: "Write a solution's scripts and services into a folder, as they were pushed.",
  options: {
    ...solutionOptions,
    dir: { meaning: 'The folder; files of the same names are overwritten.', required: true },
  },
  example:
    'npx millrace solution create --id pull1 --name Pulled && ' +
    'npx millrace solution pull --solution pull1 --dir pull1',
  run: ({ dir = '', ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      const files = await scripting.folders.pull(...where)
      await writeFolder(dir, files)
      print(`${files.length} files`)
      return 0
    }),
}
