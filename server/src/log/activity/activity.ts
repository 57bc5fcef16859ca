import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  type Logger,
  type PeriodsByBusiness,
  unsetPeriods,
} from '../../foundation/kernel/index.ts'
import type { EventLog } from '../eventlog/index.ts'
import { type AssetLine, assetLog, type NewAssetLine } from './asset.ts'
import { connectorLog, type NewConnectorLine } from './connector.ts'
import { entryLines } from './entries.ts'
import { ActivityLog } from './log.ts'
import { createRejections, type Rejection } from './rejections.ts'
import type { ConnectorFilter, ConnectorLine, SolutionFilter, SolutionLine } from './schema.ts'
import { type NewSolutionLine, solutionLog } from './solution.ts'
import { Tails } from './tail.ts'

export type ActivityOptions = {
  readonly database: Database
  readonly eventlog: Pick<
    EventLog,
    'connectorEntries' | 'onAppended' | 'partitionFor' | 'countStage'
  >
  readonly clock: Clock
  readonly logger: Logger
}

/** The activity logs that operators read. */
export type Activity = {
  /** With the entries of the event log, in one order. */
  readonly connectors: ActivityLog<ConnectorLine, NewConnectorLine, ConnectorFilter>
  readonly solutions: ActivityLog<SolutionLine, NewSolutionLine, SolutionFilter>
  readonly assets: ActivityLog<AssetLine, NewAssetLine, object>
  /**
   * Counts a message that was refused for its content, and is to be acknowledged, as failed in a
   * stage of the ledger, and writes its line.
   * @throws what the database throws, and Fault `overloaded`; then it is not to be acknowledged.
   */
  reject(rejection: Rejection): Promise<void>
  /** Calls the listener with the owners of logs that have new lines, of this process. */
  onLines(listener: (ownerIds: ReadonlySet<string>) => void): void
  /** Resolves once every line that was added before is written, or could not be. */
  flush(): Promise<void>
  /** Removes old lines; without periods those that the limits call old. */
  removeOld(periods?: PeriodsByBusiness): Promise<void>
  /** Ends the live views and writes what waits. */
  close(): Promise<void>
}

export function createActivity(options: ActivityOptions): Activity {
  const { database, eventlog } = options
  const tails = new Tails(options)
  eventlog.onAppended((connectorIds) => tails.notify(connectorIds))
  const sources = [entryLines(eventlog.connectorEntries)]
  const connectors = new ActivityLog({ ...options, tails, schema: connectorLog, sources })
  const solutions = new ActivityLog({ ...options, tails, schema: solutionLog })
  const assets = new ActivityLog({ ...options, tails, schema: assetLog })
  const logs = [connectors, solutions, assets]
  return {
    connectors,
    solutions,
    assets,
    reject: createRejections({ database, eventlog, write: (line) => connectors.write(line) }),
    onLines: (listener) => tails.onNotified(listener),
    async flush() {
      await Promise.all(logs.map((log) => log.flush()))
    },
    async removeOld(periods = unsetPeriods) {
      await Promise.all(logs.map((log) => log.removeOld(periods)))
    },
    async close() {
      await tails.close()
      await Promise.all(logs.map((log) => log.close()))
    },
  }
}
