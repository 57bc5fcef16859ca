import { type LimitDefinition, settable } from './kinds.ts'

const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The management API, the graph API and live views. */
export const apiLimits = {
  /** Live views of logs that are open at once in a process. */
  logStreamsMax: settable(200, 1, 100_000),
  /** A JSON body of the management API. */
  managementBodyBytesMax: settable(mib, 257 * kib, 64 * mib),
  /** Rows of any list. */
  pageMax: settable(1_000, 100, 10_000),
  /** The estimated cost of a GraphQL document: its rows, and 100 for each statement. */
  graphqlCostMax: settable(10_000_000, 1_000, 1_000_000_000),
  /** What one GraphQL request reads from the database, and the texts of its answer, each. */
  graphqlMemoryBytesMax: settable(64 * mib, mib, 4_096 * mib),
  /** The run time of one GraphQL request. */
  graphqlMsMax: settable(10_000, 100, 10 * minuteMs),
  /** GraphQL requests of an API token in a window, if neither it nor its role has a number. */
  graphqlWindowRequests: settable(10, 1, 10_000_000),
  /** The sum of the times of an API token's GraphQL requests in a window, likewise. */
  graphqlWindowRequestsMs: settable(100_000, 100, 100 * hourMs),
  /**
   * Requests of a person in a window, of the graph API and of the management API together; also
   * those of an API token at the management API.
   */
  personWindowRequests: settable(5_000, 10, 10_000_000),
  /** The sum of the times of these requests; some run at once. */
  personWindowRequestsMs: settable(100_000, 100, 100 * hourMs),
  /** GraphQL subscriptions of a process that are open at once; past it 503. */
  graphqlSubscriptionsMax: settable(1_000, 50, 100_000),
} as const satisfies Readonly<Record<string, LimitDefinition>>
