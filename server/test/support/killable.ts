import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/kernel/index.ts'
import { openPlatform, type Platform } from '../../src/main.ts'
import { testAddress, testEngine } from './database.ts'
import { atEnd } from './ends.ts'

/** An instance that may be killed with its engine: nothing of it is shared with other tests. */
export type Killable = {
  /** The environment of its process. */
  readonly settings: Readonly<Record<string, string>>
  /** Opens it in this process, without doors; as its owner, unless another process is that. */
  open(options?: { readonly owner: boolean }): Promise<Platform>
  /** The process of its embedded engine; undefined on an external server, which is not ours. */
  enginePid(): Promise<number | undefined>
}

export async function killableInstance(t: Pick<TestContext, 'after'>): Promise<Killable> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-kill-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  const url = testEngine === 'external' ? (await testAddress(t)).url : undefined
  const settings = { MILLRACE_DATA: folder, DATABASE_URL: url ?? '', MILLRACE_LOG: 'silent' }
  return {
    settings,
    open: ({ owner } = { owner: true }) =>
      openPlatform({
        config: readConfig(settings, folder),
        logger: createLogger('silent'),
        owner,
      }),
    async enginePid() {
      if (url !== undefined) return undefined
      const text = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')
      return Number(text.split('\n')[0])
    },
  }
}
