import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, implement, limits } from '../../../foundation/kernel/index.ts'
import type { Service } from '../../scripting/index.ts'
import { createOperations, keystoreOperations } from './operations.ts'
import { readKeyCount, removeSolution, sweepExpired } from './store.ts'

export type Keystore = {
  readonly service: Service
  /** Removes what has expired; what it has not reached stays invisible all the same. */
  sweep(): Promise<void>
}

export function createKeystore({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): Keystore {
  return {
    service: {
      name: 'keystore',
      always: true,
      events: [],
      operation: implement(keystoreOperations, createOperations(database, clock)),
      removeIn: removeSolution,
      usage: async (solutionId) => [
        {
          limit: 'keystoreKeysMax',
          used: await readKeyCount(database, solutionId),
          max: limits.keystoreKeysMax,
        },
      ],
    },
    sweep: () => sweep(database, clock),
  }
}

async function sweep(database: Database, clock: Clock): Promise<void> {
  for (;;) {
    const swept = await database.transaction((transaction) =>
      sweepExpired(transaction, clock.nowUs(), limits.keystoreSweepRowsMax),
    )
    if (swept < limits.keystoreSweepRowsMax) return
  }
}
