import { basename, resolve } from 'node:path'
import { type MillraceClient, unwrap } from '@millrace/client'
import { type Context, defineCommand, exitCodes, UsageError } from '../../command.ts'
import { liveLines } from '../../output/log.ts'
import type { Output } from '../../output/output.ts'
import { createCallView } from '../../solution/calls.ts'
import { makeColours } from '../../solution/colours.ts'
import { type FolderFile, readFolder } from '../../solution/folder.ts'
import { type Colours, errorLines, type Sources } from '../../solution/source-lines.ts'
import { type PushQuery, pushProject, readProject } from '../../solution/static-files.ts'
import { watchFolder } from '../../solution/watch.ts'
import { followLog } from './logs.ts'
import { showPushed } from './push.ts'

export const solutionDev = defineCommand({
  options: {
    dir: { meaning: 'The folder with .lua files; also without --dir.', required: true },
    solution: {
      meaning: "The id of the solution, created if it is new. Default: the folder's name.",
    },
    'allow-breaking': { meaning: 'Push even if it breaks subscribers.', flag: true },
  },
  operand: 'dir',
  example:
    `mkdir -p hello && echo 'log.info("tick") return 1' > hello/user_tick.lua && ` +
    'npx millrace solution dev hello',
  routes: [
    'listSolutions',
    'createSolution',
    'pushSolution',
    'uploadStaticFile',
    'listSolutionLog',
  ],
  async run({ dir, solution: named, 'allow-breaking': breaking }, context) {
    const { input, out, isConfirmed } = context
    const path = input.path(dir)
    await readFolder(path)
    const api = await context.client()
    const solution = await solutionFor(api, path, named, out)
    const query = { keep: !isConfirmed, allow_breaking: breaking, dry_run: false }
    const loop = new DevLoop({ api, solution, dir: path, query, out })
    out.print(`${dir} is pushed to the solution ${solution} at each save. Ctrl-C ends.`)
    return loop.run(context)
  },
})

type LoopOptions = {
  readonly api: MillraceClient
  readonly solution: string
  readonly dir: string
  readonly query: PushQuery
  readonly out: Output
}

const lookMs = 500

/** Pushes a folder at each save, and shows the calls of its scripts from its beginning on. */
class DevLoop {
  readonly #options: LoopOptions
  readonly #colours: Colours
  #live: Sources = new Map()

  constructor(options: LoopOptions) {
    this.#options = options
    this.#colours = makeColours(options.out)
  }

  /** Runs until Ctrl-C. Returns the exit code. */
  async run(context: Pick<Context, 'out' | 'signal'>): Promise<number> {
    const { api, solution, dir, out } = this.#options
    const view = createCallView({
      print: (line) => out.print(line),
      colours: this.#colours,
      sources: () => this.#live,
      elapsedMs: () => performance.now(),
    })
    const timer = setInterval(view.look, lookMs)
    let stop: (() => Promise<void>) | undefined
    const opened = () => {
      stop ??= watchFolder(
        dir,
        () => this.#push(),
        (text) => out.note(text),
      )
    }
    try {
      const lines = liveLines(followLog(api, solution), { opened }, context)
      for await (const line of lines) {
        if (out.isJson) out.showItem(line, () => '')
        else view.take([line])
      }
      return exitCodes.done
    } finally {
      clearInterval(timer)
      await stop?.()
      view.end()
    }
  }

  /** An invalid folder does not end the watch: the next save may fix it. */
  async #push(): Promise<void> {
    const { api, solution, dir, query, out } = this.#options
    let files: readonly FolderFile[] = []
    try {
      const project = await readProject(dir)
      files = project.files
      showPushed(await pushProject(api, solution, project, query), out)
      this.#live = toSources(files)
    } catch (error) {
      this.#refuse(error as Error, files)
    }
  }

  #refuse({ message }: Error, files: readonly FolderFile[]): void {
    const { out } = this.#options
    const say = (line: string) => (out.isJson ? out.note(line) : out.print(line))
    for (const line of message.split('\n')) {
      errorLines(line, [], toSources(files), this.#colours).forEach(say)
    }
    say(this.#colours.red('not pushed: what was there before runs on'))
  }
}

function toSources(files: readonly FolderFile[]): Sources {
  return new Map(files.map(({ path, text }) => [path, text]))
}

/** A solution that was named must be there; one of the folder's name is created. */
async function solutionFor(
  api: MillraceClient,
  dir: string,
  named: string | undefined,
  out: Output,
): Promise<string> {
  const name = basename(resolve(dir))
  const id = named ?? name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const { solutions } = await unwrap(api.GET('/api:1/solution'))
  if (solutions.some((one) => one.id === id)) return id
  if (named !== undefined) throw new UsageError(`there is no solution ${named}`)
  if (id === '') throw new UsageError(`--solution is missing: ${name} is no id`)
  await unwrap(api.POST('/api:1/solution', { body: { id, name } }))
  out.print(`the solution ${id} is new`)
  return id
}
