import type { Database } from '../../database/index.ts'
import type { Logger } from '../../kernel/index.ts'
import { releaseAllLeases } from '../store/partition-leases.ts'

/**
 * Releases the leases of a process that was killed, if no other process can be running: the
 * embedded engine has one. On a server others may run; there the leases expire.
 * @returns a function that waits for the release, which is done once.
 */
export function createRecovery(database: Database, logger: Logger): () => Promise<void> {
  let recovered: Promise<void> | undefined
  return () => {
    recovered ??= recover(database, logger)
    return recovered
  }
}

async function recover(database: Database, logger: Logger): Promise<void> {
  if (database.engine !== 'embedded') return
  try {
    await releaseAllLeases(database)
  } catch (error) {
    logger.warn(
      { err: error },
      'failed to release the leases of an earlier process; they will expire',
    )
  }
}
