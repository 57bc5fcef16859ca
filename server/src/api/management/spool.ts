import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** An upload that lies on the disk until it was dealt with, so that it may be of any size. */
export type Spool = {
  /** Reads it from its start, as often as it is called. */
  open(): Readable
  /** Removes it; once is enough. */
  close(): Promise<void>
}

/** Writes an upload down, at the pace of the disk. */
export async function spool(dir: string, upload: Readable): Promise<Spool> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(dir, 'upload-'))
  const file = join(folder, 'file')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(upload, createWriteStream(file, { mode: 0o600 }))
    const handle = await open(file)
    // A file without a name ends with the process; if it cannot be unlinked, `close` removes it.
    await remove().catch(() => {})
    return {
      open: () => handle.createReadStream({ start: 0, autoClose: false }),
      async close() {
        await handle.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
