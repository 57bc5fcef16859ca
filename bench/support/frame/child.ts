import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { calibrate } from './calibration.ts'
import { print } from './figures.ts'

/** A process of the bench, which answers questions one at a time. */
export type Child = {
  /** @throws Error with the process's own message of its failure, or that it ended. */
  ask<Answer>(question: string, argument?: unknown): Promise<Answer>
  stop(): Promise<void>
}

export type Questions = Readonly<Record<string, (argument: never) => unknown>>

/** A child that does not end holds the bench up no longer. */
const endMsMax = 30_000

type Reply = { readonly answer?: unknown; readonly error?: string }

/** Starts `support/<name>.ts`; with a folder its CPU profile, with its start, is written there. */
export function startChild(name: string, profileDir?: string): Child {
  const child = fork(join(import.meta.dirname, '..', `${name}.ts`), [], {
    execArgv:
      profileDir === undefined
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`, `--cpu-prof-name=${profileName(name)}`],
  })
  return {
    async ask<Answer>(question: string, argument?: unknown) {
      const reply = waitForReply(child, name)
      child.send({ question, argument })
      return (await reply) as Answer
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const killed = setTimeout(() => {
        print(`${name} did not end in ${endMsMax / 1_000} s, and was killed`)
        child.kill('SIGKILL')
      }, endMsMax)
      child.disconnect()
      await once(child, 'exit')
      clearTimeout(killed)
    },
  }
}

const profileName = (name: string) => `${basename(name)}.cpuprofile`

async function waitForReply(child: ChildProcess, name: string): Promise<unknown> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${name} ended before it answered`)
  })
  ended.catch(() => {})
  try {
    const [reply] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Reply]
    if (reply.error !== undefined) throw new Error(`${name}: ${reply.error}`)
    return reply.answer
  } finally {
    waiting.abort()
  }
}

/** The child's side: answers its parent's questions; ends, in order, when the parent is gone. */
export function answerParent(questions: Questions, end: () => unknown): void {
  const all: Questions = { ...questions, cpuUs: () => process.cpuUsage(), calibrate }
  process.on('message', async (message: { question: string; argument: never }) => {
    try {
      process.send?.({ answer: await all[message.question]?.(message.argument) })
    } catch (error) {
      process.send?.({ error: (error as Error).stack ?? String(error) })
    }
  })
  process.once('disconnect', async () => {
    await end()
    process.exit()
  })
}

/** Microseconds of CPU that a child has used, all its threads together. */
export async function readCpuUs(child: Child): Promise<number> {
  const { user, system } = await child.ask<NodeJS.CpuUsage>('cpuUs')
  return user + system
}
