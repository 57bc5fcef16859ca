import type { components, MillraceClient } from '@millrace/client'
import { type Context, defineCommand, exitCodes } from '../../command.ts'
import type { Input } from '../../input.ts'
import { liveLines } from '../../output/log.ts'
import type { Output } from '../../output/output.ts'
import { writeFolder } from '../../solution/folder.ts'
import {
  type PushQuery,
  pullStaticFiles,
  pushProject,
  readProject,
} from '../../solution/static-files.ts'
import { watchFolder } from '../../solution/watch.ts'
import { solutionOption } from '../options.ts'
import { followLog, formatLine } from './logs.ts'

type Pushed = components['schemas']['Pushed']

export const solutionPush = defineCommand({
  options: {
    solution: solutionOption,
    dir: { meaning: 'The folder with .lua files, and services/*.yaml.', required: true },
    'dry-run': { meaning: 'Print the changes without making them.', flag: true },
    'allow-breaking': { meaning: 'Push even if it breaks subscribers.', flag: true },
    watch: { meaning: 'Push again at each save, and follow the log, until Ctrl-C.', flag: true },
  },
  example:
    'npx millrace solution create --id push1 --name Pushed && mkdir -p push1 && ' +
    `echo 'log.info("tick")' > push1/timer_tick.lua && ` +
    'npx millrace solution push --solution push1 --dir push1',
  routes: ['pushSolution', 'uploadStaticFile', 'listSolutionLog'],
  async run({ solution, dir, watch, ...flags }, context) {
    const api = await context.client()
    const query = { allow_breaking: flags['allow-breaking'], dry_run: flags['dry-run'] }
    const work = { api, solution, dir: context.input.path(dir), query }
    return watch ? watchAndPush(work, context) : pushOnce(work, context)
  },
})

type PushWork = {
  readonly api: MillraceClient
  readonly solution: string
  readonly dir: string
  readonly query: PushQuery
}

/**
 * Scripts that the folder does not have are removed only after a confirmation. Without it the
 * solution is not what the folder is, and the push counts as failed.
 */
async function pushOnce({ api, solution, dir, query }: PushWork, context: Context) {
  const { input, out, isConfirmed } = context
  const project = await readProject(dir)
  if (query.dry_run) {
    showPushed(await pushProject(api, solution, project, query), out)
    return exitCodes.done
  }
  const dry = Object.assign({}, query, { dry_run: true })
  const would = removedBy(await pushProject(api, solution, project, dry))
  const keep = would.length > 0 && !isConfirmed && !(await agreed(input, would))
  const pushed = await pushProject(api, solution, project, Object.assign({}, query, { keep }))
  showPushed(pushed, out)
  if (!keep) return exitCodes.done
  out.note('the solution has parts that the folder does not have; --yes removes them')
  return exitCodes.failed
}

function removedBy({ removed, static_files: files }: Pushed): string[] {
  const scripts = removed.map(({ kind, name }) => `${kind} ${name}`)
  return [...scripts, ...(files?.removed ?? []).map((path) => `static file ${path}`)]
}

async function agreed(input: Input, removed: readonly string[]): Promise<boolean> {
  if (!input.isTerminal) return false
  const names = removed.map((one) => `  ${one}\n`).join('')
  return input.askYes(`The folder does not have\n${names}Remove?`)
}

/** Pushes at each save. An invalid folder does not end the watch: the next save may fix it. */
async function watchAndPush(work: PushWork, context: Context): Promise<number> {
  const { api, solution, dir } = work
  const { out } = context
  const query = Object.assign({}, work.query, { keep: !context.isConfirmed })
  async function push() {
    try {
      showPushed(await pushProject(api, solution, await readProject(dir), query), out)
    } catch (error) {
      out.note((error as Error).message)
    }
  }
  let stop: (() => Promise<void>) | undefined
  const opened = () => {
    stop ??= watchFolder(dir, push, (text) => out.note(text))
  }
  try {
    const live = liveLines(followLog(api, solution), { opened }, context)
    for await (const line of live) out.showItem(line, () => formatLine(line))
    return exitCodes.done
  } finally {
    await stop?.()
  }
}

export function showPushed(pushed: Pushed, out: Output): void {
  if (out.isJson) out.showItem(pushed, () => '')
  else for (const line of pushedLines(pushed)) out.print(line)
}

function pushedLines(pushed: Pushed): string[] {
  const { services, unchanged, kept = [], project, notes = [], static_files: fixed } = pushed
  const line = (what: string, thing: string) => `${what.padEnd(9)} ${thing}`
  const scripts = (['added', 'changed', 'removed'] as const).flatMap((what) =>
    pushed[what].map(({ kind, name }) => line(what, `${kind} ${name}`)),
  )
  const lines = [
    ...scripts,
    ...kept.map(({ kind, name }) => line('kept', `${kind} ${name} (--yes removes it)`)),
    ...services.added.map((alias) => line('added', `service ${alias}`)),
    ...services.changed.map((alias) => line('changed', `service ${alias}`)),
    ...(fixed?.added ?? []).map((path) => line('added', `static file ${path}`)),
    ...(fixed?.changed ?? []).map((path) => line('changed', `static file ${path}`)),
    ...(fixed?.removed ?? []).map((path) => line('removed', `static file ${path}`)),
    ...(fixed?.kept ?? []).map((path) => line('kept', `static file ${path} (--yes removes it)`)),
    ...(project === undefined ? [] : [line(project, 'murano.yaml')]),
  ]
  if (lines.length === 0) lines.push('nothing changed')
  return [
    ...lines,
    `unchanged ${unchanged.length + services.unchanged.length}`,
    ...notes.map(({ file, message }) => line('note', `${file}: ${message}`)),
  ]
}

export const solutionPull = defineCommand({
  options: {
    solution: solutionOption,
    dir: { meaning: 'The folder; files of the same names are overwritten.', required: true },
  },
  example:
    'npx millrace solution create --id pull1 --name Pulled && ' +
    'npx millrace solution pull --solution pull1 --dir pull1',
  routes: ['pullSolution', 'getStaticFile'],
  async run({ solution, dir: given }, { client, call, input, out }) {
    const dir = input.path(given)
    const api = await client()
    const pulled = await call('pullSolution', { solution })
    await writeFolder(dir, pulled.files)
    const fixed = await pullStaticFiles(api, solution, dir, pulled)
    const files = [...pulled.files.map(({ path }) => path), ...fixed]
    out.show({ files }, () => [`${files.length} files`])
  },
})
