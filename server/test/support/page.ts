import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { waitMsMax } from './bounds.ts'
import { atEnd } from './ends.ts'

export const root = join(import.meta.dirname, '..', '..', '..')
export const cli = join(root, 'server', 'src', 'cli', 'index.ts')
export const pages = join(root, 'docs', 'using')

const pageMsMax = 4 * waitMsMax
const pollMs = 20
/** What a checkout has for itself. */
const notShared = new Set(['.git', '.millrace'])

/**
 * A folder that is the root of the repository to its reader; what a page writes there stays out of
 * the checkout.
 */
export async function readersFolder(t: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-reader-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  for (const name of await readdir(root)) {
    if (!notShared.has(name)) await symlink(join(root, name), join(folder, name))
  }
  return folder
}

/** The blocks of a page that a reader is to paste. */
export async function blocksOf(name: string): Promise<string[]> {
  const page = await readFile(join(pages, name), 'utf8')
  return [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
}

export type PasteOptions = {
  readonly folder: string
  /** Added to the environment. */
  readonly settings: Readonly<Record<string, string>>
  /** Where the page shows a command that fails, and goes on. */
  readonly goesOn?: boolean
  /** A line of the test's own at the end. */
  readonly last?: string
}

/**
 * Pastes a page into one shell, block after block, its words unchanged; `node`, `npm` and `npx` are
 * the machine's. All that it started has ended when this returns.
 * @throws where a command fails, unless the page goes on, and where a process is left.
 */
export async function pastePage(
  name: string,
  { folder, settings, goesOn = false, last = '' }: PasteOptions,
): Promise<{ stdout: string; stderr: string }> {
  const script = [...(await blocksOf(name)), last].join('\n')
  const env = { ...readersEnvironment(folder), ...settings }
  const shell = spawn('bash', [goesOn ? '-c' : '-ec', script], {
    ...{ cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const group = -(shell.pid ?? 0)
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    shell[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
    })
  }
  const printed = () => `it printed:\n${said.stdout}\n${said.stderr}`
  const late = setTimeout(() => signal(group, 'SIGKILL'), pageMsMax)
  try {
    const [code, ended] = await once(shell, 'exit')
    if (code !== 0) throw new Error(`${name} ended with ${code ?? ended}; ${printed()}`)
    await ends(group, () => `${name} left a process behind; ${printed()}`)
    return said
  } finally {
    clearTimeout(late)
    signal(group, 'SIGKILL')
  }
}

/** The machine's Node, which a reader has; the pinned one is in the repository. */
function readersEnvironment(folder: string): NodeJS.ProcessEnv {
  const { MILLRACE_DATA: _, NODE_OPTIONS: _options, ...env } = process.env
  const own = realpathSync(process.execPath)
  const isOther = (dir: string) =>
    existsSync(join(dir, 'node')) && realpathSync(join(dir, 'node')) !== own
  const PATH = env.PATH?.split(delimiter) ?? []
  const { MILLRACE_TEST_READERS_NODE: given } = env
  const first = given === undefined ? PATH.find(isOther) : dirname(given)
  return {
    ...env,
    PATH: [...(first === undefined ? [] : [first]), ...PATH].join(delimiter),
    // npx keeps there where it found the command.
    npm_config_cache: join(folder, '.npm'),
  }
}

/** Waits until a group of processes has none. */
async function ends(group: number, complaint: () => string): Promise<void> {
  for (const deadline = Date.now() + waitMsMax; signal(group, 0); await pause(pollMs)) {
    if (Date.now() > deadline) throw new Error(complaint())
  }
}

/** @returns whether there was a process to get it. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, name)
  } catch {
    return false
  }
}
