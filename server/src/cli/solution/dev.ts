import { basename, resolve } from 'node:path'
import { elapsedMs, Fault } from '../../kernel/index.ts'
import type { Platform } from '../../platform.ts'
import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOf, businessOption } from '../owner.ts'
import { untilStopped } from '../signals.ts'
import { coloursOf } from '../terminal.ts'
import { createCallView } from './calls.ts'
import { asWritten, type OwnFile, readFolder } from './folder.ts'
import { printPushed } from './push.ts'
import { errorLines, type Sources } from './source-lines.ts'
import { watchFolder } from './watch.ts'

export const solutionDev: Command = {
  name: 'solution dev',
  summary: 'Push a folder at each save, and print each call of its scripts, until Ctrl-C.',
  options: {
    dir: {
      meaning: 'The folder with .lua files; also without --dir.',
      required: true,
    },
    solution: {
      meaning: "The id of the solution, created if it is new. Default: the folder's name.",
    },
    business: businessOption,
    yes: { meaning: 'Remove what the folder does not have, without asking.', flag: true },
    'allow-breaking': { meaning: 'Push even if it breaks subscribers.', flag: true },
  },
  operand: 'dir',
  example:
    `mkdir -p hello && echo 'log.info("tick") return 1' > hello/user_tick.lua && ` +
    'npx millrace solution dev hello',
  run: ({ dir = '', solution, business, yes, 'allow-breaking': breaking }) =>
    withPlatform(async (platform) => {
      const stopped = untilStopped()
      await readFolder(dir)
      const where = await solutionFor(platform, business, dir, solution)
      const options = { keep: yes === undefined, allowBreaking: breaking !== undefined }
      const loop = createLoop({ platform, where, dir, options })
      print(`${dir} is pushed to the solution ${where[1]} at each save. Ctrl-C ends.`)
      const stop = watchFolder(dir, loop.push)
      await stopped
      await stop()
      loop.end()
      return 0
    }),
}

type Where = readonly [businessId: string, solutionId: string]

type LoopOptions = {
  readonly platform: Platform
  readonly where: Where
  readonly dir: string
  readonly options: { readonly keep: boolean; readonly allowBreaking: boolean }
}

const lookMs = 500

/** Follows the log from now on, and pushes when it is called. */
function createLoop({ platform, where, dir, options }: LoopOptions) {
  const { folders } = platform.scripting
  const colours = coloursOf(process.stdout, process.env)
  let live: Sources = new Map()
  const view = createCallView({ print, colours, sources: () => live, elapsedMs })
  const unfollow = platform.activity.solutions.follow(...where, view.take)
  const timer = setInterval(view.look, lookMs)

  function refuse(error: unknown, files: readonly OwnFile[]): void {
    const text = error instanceof Fault ? error.detail : (error as Error).message
    for (const line of asWritten(text, files).split('\n')) {
      for (const one of errorLines(line, [], sourcesOf(files), colours)) print(one)
    }
    print(colours.red('not pushed: what was there before runs on'))
  }

  return {
    /** An invalid folder does not end the watch: the next save may fix it. */
    async push(): Promise<void> {
      let files: OwnFile[] = []
      try {
        files = await readFolder(dir)
        const pushed = await folders.push(...where, files, options)
        await platform.database.hints.reached('solutions')
        printPushed(pushed)
        live = sourcesOf(files)
      } catch (error) {
        refuse(error, files)
      }
    },
    end(): void {
      clearInterval(timer)
      unfollow()
      view.end()
    },
  }
}

function sourcesOf(files: readonly OwnFile[]): Sources {
  return new Map(files.map(({ path, text }) => [path, text]))
}

/** A solution that was named must be there; one of the folder's name is created. */
async function solutionFor(
  platform: Platform,
  business: string | undefined,
  dir: string,
  named: string | undefined,
): Promise<Where> {
  const { id: businessId } = await businessOf(platform, business)
  const { solutions } = platform.scripting
  const name = basename(resolve(dir))
  const id = named ?? name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const known = (await solutions.list(businessId)).some((one) => one.id === id)
  if (known) return [businessId, id]
  if (named !== undefined) throw new UsageError(`there is no solution ${named}`)
  if (id === '') throw new UsageError(`--solution is missing: ${name} is no id`)
  await solutions.create(businessId, { id, name })
  print(`the solution ${id} is new`)
  return [businessId, id]
}
