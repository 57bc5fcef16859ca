import { type LimitDefinition, settable } from './kinds.ts'

const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Solutions, what their scripts use, and notifications in flight. */
export const scriptLimits = {
  /** Outgoing calls in flight at once in a process. */
  outboundCallsMax: settable(512, 128, 10_000),
  /**
   * Memory of one solution's virtual machine if nothing else is set. A script that needs more gets
   * "not enough memory", and the call ends as `memory`, 507.
   */
  scriptMemoryBytes: settable(32 * mib, 8 * mib, 1024 * mib),
  /** The most memory that a solution may be given. */
  scriptMemoryBytesMax: settable(256 * mib, 8 * mib, 1024 * mib),
  /**
   * CPU of one call: milliseconds of its thread's time, without the opening of its machine. Past it
   * the call ends as `cpu`, 504.
   */
  scriptCpuMs: settable(600, 10, minuteMs),
  /**
   * The run time of one call of a script, with the answers that it waits for. Past it the call ends
   * as `time`, 504.
   */
  scriptWallMs: settable(30_000, 100, hourMs),
  /** The text of one script. */
  scriptSourceBytesMax: settable(mib, kib, 4 * mib),
  /** An argument or a result of a script's call, in JSON. Past it the call ends as `value`, 413. */
  scriptValueBytesMax: settable(mib, mib, 16 * mib),
  /** Service calls of one call of a script. Past it the call ends as `service_calls`, 429. */
  scriptServiceCallsMax: settable(200, 1, 100_000),
  /**
   * Memory of all virtual machines of one worker thread. Past it those idle for longest are
   * dropped; the next call makes them anew.
   */
  scriptMachinesBytesMax: settable(512 * mib, 64 * mib, 64 * 1024 * mib),
  /**
   * Worker threads for scripts in a process; a process has one for each processor but one, two at
   * least and no more than this.
   */
  scriptWorkersMax: settable(64, 2, 64),
  /**
   * Calls of one solution's handlers that wait: events of its connectors for which it was too slow,
   * asynchronous triggers, timers. Further ones are kept among the solution's failures with
   * `overloaded`, 503, and run if its owner orders it. The count is read once a batch, so a batch
   * may pass it.
   */
  deliveriesWaitingMax: settable(50_000, 100, 10_000_000),
  /** The body of a request to an endpoint of a solution. */
  endpointBodyBytesMax: settable(960 * kib, kib, 15 * mib),
  /**
   * [Websockets](websocket.md) of solutions that are open at once in a process. Past it an upgrade
   * is 503 `overloaded`.
   */
  socketsMax: settable(5_000, 1_001, 1_000_000),
  /**
   * The age of an event of a connector past which a solution that is behind does not handle it any
   * more. It is kept among the solution's failures with `overloaded`, 503.
   */
  scriptBehindHours: settable(72, 1, 10 * 366 * 24),
  /** The most CPU of one call that a solution may be given. */
  scriptCpuMsMax: settable(6_000, 10, minuteMs),
  /** The longest run time of one call that a solution may be given. */
  scriptWallMsMax: settable(5 * minuteMs, 100, hourMs),
  /** Solutions of one business. */
  solutionsMax: settable(1_000, 1, 100_000),
  /** Scripts of solutions that are cached, ready to be sent to a worker. */
  programsKeptBytesMax: settable(64 * mib, 4 * mib, 4096 * mib),
  /**
   * Keys of one solution in the keystore; past it a new key is refused with 413 `too_large`. Keys
   * that have expired count until they are swept.
   */
  keystoreKeysMax: settable(100_000, 1, 100_000_000),
  /** The bytes of all contents of one solution; past it 413 `too_large`. */
  solutionContentBytesMax: settable(256 * mib, kib, 65_536 * mib),
  /** Recipients of mails that the scripts of one solution send in a day; then 429. */
  emailsPerDay: settable(2_000, 1, 1_000_000),
  /**
   * Metrics with their tags of one solution; past it a write with a new one is refused with 413
   * `too_large`.
   */
  tsdbSeriesMax: settable(10_000, 1, 10_000_000),
  /** Bindings of one solution. */
  notificationBindingsMax: settable(5_000_000, 1, 100_000_000),
  /**
   * Notifications that a process has in flight. A channel of a solution gets at most half of what
   * is free, so that there is room for another.
   */
  notificationRunsMax: settable(400, 2, 10_000),
  /** Of these, those of one queue, which is one channel of one solution. */
  notificationRunsOfQueueMax: settable(250, 1, 10_000),
  /**
   * Notifications in flight, or whose outcome is not written yet. So many at most are sent again
   * after the platform was killed.
   */
  notificationUnsettledMax: settable(1_000, 1_000, 100_000),
} as const satisfies Readonly<Record<string, LimitDefinition>>
