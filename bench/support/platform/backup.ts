import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUpDatabase, restoreDatabase } from '../../../server/src/foundation/database/index.ts'
import { createLogger } from '../../../server/src/foundation/kernel/index.ts'
import { answerParent } from '../frame/child.ts'
import type { Address } from '../frame/engines.ts'

/** Backs up or restores in a process that has loaded nothing else, as its memory is measured. */

export type Copying = { readonly address: Address; readonly file: string }
export type Copied = {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly rows: number
  /** The most memory that the process had since its start. */
  readonly peakMib: number
}

function backUp({ address, file }: Copying): Promise<Copied> {
  return measured(address, (options) =>
    backUpDatabase(options, createWriteStream(file, { flush: true }), { keys: [] }),
  )
}

function restore({ address, file }: Copying): Promise<Copied> {
  return measured(address, (options) => restoreDatabase(options, createReadStream(file), {}))
}

async function measured(
  { url, dataDir, name }: Address,
  work: (options: Parameters<typeof backUpDatabase>[0]) => Promise<{ readonly rows: number }>,
): Promise<Copied> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-backup-'))
  const place = { url, name, dataDir: dataDir === '' ? folder : dataDir }
  const startedMs = performance.now()
  const before = process.cpuUsage()
  try {
    const options = Object.assign(place, { owner: false, logger: createLogger('warn') })
    const { rows } = await work(options)
    const seconds = (performance.now() - startedMs) / 1_000
    const { user, system } = process.cpuUsage(before)
    const peakMib = process.resourceUsage().maxRSS / 1_024
    return { seconds, cpuSeconds: (user + system) / 1e6, rows, peakMib }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

answerParent({ backUp, restore }, () => {})
