import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { demoConnector } from '../../../dev/demo/plant.ts'
import type { Platform } from '../../src/main.ts'
import { waitMsMax } from './bounds.ts'
import { atEnd } from './ends.ts'
import { type InstanceProcess, startInstance } from './instance-process.ts'
import { killableInstance } from './killable.ts'

const run = promisify(execFile)
const runMsMax = 4 * waitMsMax

export const root = join(import.meta.dirname, '..', '..', '..')
export const cli = join(root, 'server', 'src', 'cli', 'index.ts')

/** An instance in a process of its own, and the folder in which its reader pastes commands. */
export type ReadersInstance = {
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
  readonly instance: InstanceProcess
}

/**
 * Starts one with the business `Demo`, and another one as other pages leave it; `prepare` may put
 * more into it before its doors open.
 */
export async function readersInstance(
  t: Pick<TestContext, 'after'>,
  prepare?: (platform: Platform, businessId: string) => Promise<unknown>,
): Promise<ReadersInstance> {
  const { settings, open } = await killableInstance(t)
  const folder = settings.MILLRACE_DATA ?? ''
  const platform = await open()
  const { id } = await platform.accounts.createBusiness({ name: 'Demo' })
  await platform.accounts.createBusiness({ name: 'Another' })
  await prepare?.(platform, id)
  await platform.close()
  const instance = await startInstance(settings)
  atEnd(t, () => instance.stop())
  await writeDemoFile(folder, { deviceHttp: instance.httpUrl })
  return { folder, settings, instance }
}

/** Puts in the connector that the demo has. */
export const withDemoConnector = (platform: Platform, businessId: string) =>
  platform.provisioning.connectors.create(businessId, { ...demoConnector, id: 'demo' })

/** What `npm start` leaves behind for its reader. */
export async function writeDemoFile(folder: string, demo: object): Promise<void> {
  await mkdir(join(folder, '.millrace'), { recursive: true })
  await writeFile(join(folder, '.millrace', 'demo.json'), JSON.stringify(demo))
}

export type PasteOptions = {
  readonly folder: string
  /** Added to the environment. */
  readonly settings?: Readonly<Record<string, string>>
  /** What stands otherwise in the test than in a reader's place: a port. */
  readonly replaced?: Readonly<Record<string, string>>
  /** Where the page shows a command that fails, and goes on. */
  readonly goesOn?: boolean
  /** A line of the test's own at the end. */
  readonly last?: string
}

/**
 * Runs everything that a page of `docs/using/` would have a person paste, block after block.
 * @throws where a command fails, unless it goes on.
 */
export async function pastePage(
  name: string,
  { folder, settings = {}, replaced = {}, goesOn = false, last = '' }: PasteOptions,
): Promise<{ stdout: string; stderr: string }> {
  const page = await readFile(join(root, 'docs', 'using', name), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block)
  const node = process.execPath
  const all = {
    'npx millrace': `"${node}" "${cli}"`,
    'npx node': `"${node}"`,
    ...replaced,
  }
  const script = Object.entries(all).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    [...blocks, last].join('\n'),
  )
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  const env = { ...process.env, ...settings, PATH }
  return run('bash', [goesOn ? '-c' : '-ec', script], { cwd: folder, env, timeout: runMsMax })
}
