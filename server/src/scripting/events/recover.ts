import type { Database } from '../../database/index.ts'
import type { Logger } from '../../kernel/index.ts'
import { releaseAllLeases } from '../store/partition-leases.ts'

/**
 * What a process that was killed had taken is free at once where no other can be alive: the
 * embedded engine has one. On a server others may run; there the leases run out by themselves.
 * @returns what waits for that; done once.
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
    logger.warn({ err: error }, 'what a process before had taken is left to run out')
  }
}
