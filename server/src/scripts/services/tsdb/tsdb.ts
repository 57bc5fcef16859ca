import type { Database } from '../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  type Implementation,
  implement,
  limits,
} from '../../../foundation/kernel/index.ts'
import type { Service, ServiceCall } from '../../scripting/index.ts'
import { makeAnswer, makeSampledAnswer } from './answer.ts'
import { asDatapoints, asPoints, asQuery } from './arguments.ts'
import { tsdbOperations } from './operations.ts'
import type { Query } from './point.ts'
import {
  countSeries,
  limitTime,
  readPoints,
  removeSolution,
  samplePoints,
  sweepPoints,
} from './store.ts'
import { createWrites } from './write.ts'

/** The run time of one query; past it the script receives 504 `time_exceeded`. */
const tsdbQueryMsMax = 5_000
/** Values that one step of the sweep removes. */
const tsdbSweepRowsMax = 5_000

export type Tsdb = {
  readonly service: Service
  /** Removes what is older than `limits.tsdbDaysMax`. */
  sweep(): Promise<void>
}

export type TsdbOptions = { readonly database: Database; readonly clock: Clock }

export function createTsdb({ database, clock }: TsdbOptions): Tsdb {
  const writes = createWrites(database)
  const operations: Implementation<ServiceCall, typeof tsdbOperations.schemas> = {
    async write({ solutionId }, args) {
      await writes.write(asPoints(solutionId, args, clock.nowUs()))
      return {}
    },
    async multiWrite({ solutionId }, args) {
      const points = asDatapoints(solutionId, args, clock.nowUs())
      if (points.length > 0) await writes.write(points)
      return {}
    },
    async query({ solutionId }, args) {
      const query = asQuery(args, clock.nowUs())
      return read(database, solutionId, query)
    },
  }
  return {
    service: {
      name: 'tsdb',
      always: true,
      events: [],
      operation: implement(tsdbOperations, operations),
      removeIn: removeSolution,
      usage: async (solutionId) => [
        {
          limit: 'tsdbSeriesMax',
          used: await countSeries(database, solutionId),
          max: limits.tsdbSeriesMax,
        },
      ],
    },
    sweep: () => sweep(database, clock),
  }
}

const queryCancelled = '57014'

/** @throws Fault time_exceeded where the engine ended the query. */
async function read(database: Database, solutionId: string, query: Query) {
  try {
    return await database.transaction(async (transaction) => {
      await limitTime(transaction, tsdbQueryMsMax)
      if (query.aggregates.length === 0) {
        return makeAnswer(query, await readPoints(transaction, solutionId, query))
      }
      return makeSampledAnswer(query, await samplePoints(transaction, solutionId, query))
    })
  } catch (error) {
    if ((error as { code?: unknown }).code !== queryCancelled) throw error
    throw new Fault('time_exceeded', 'the query took too long; ask for a shorter range')
  }
}

const dayUs = 24 * 3_600 * 1_000_000

async function sweep(database: Database, clock: Clock): Promise<void> {
  const before = clock.nowUs() - limits.tsdbDaysMax * dayUs
  for (;;) {
    const swept = await database.transaction((transaction) =>
      sweepPoints(transaction, before, tsdbSweepRowsMax),
    )
    if (swept < tsdbSweepRowsMax) return
  }
}
