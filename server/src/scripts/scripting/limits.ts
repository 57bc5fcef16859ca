/** Limits of `scripting` that no operator sets. */
export const scriptingLimits = {
  /** Recorded events that one replay of a solution takes. */
  replayEventsMax: 10_000,
  /** Bytes of the events of one replay, and of the calls and logs that its scripts make. */
  replayBytesMax: 33_554_432,
  /** The time that one replay takes, at most. */
  replayMsMax: 60_000,
  /** Calls of one solution that run at once. */
  scriptCallsMax: 100,
  /** Variables of one solution, which `os.getenv` gives to its scripts. */
  environmentVariablesMax: 100,
  /** Calls of one solution that wait to run. Past it a caller receives 429. */
  scriptQueuedMax: 1_000,
  /** Log output of one call. */
  scriptLogBytesPerCallMax: 64 * 1024,
  /** Characters of the message of a script's error that are kept. */
  scriptErrorCharsMax: 2_000,
  /**
   * Virtual machines of solutions in a process. Past it the one that was idle for longest is
   * dropped.
   */
  scriptMachinesMax: 1_000,
  /** Messages that go to a worker thread at once. */
  scriptBatchMax: 256,
  /**
   * The estimated CPU of the calls of one batch, by recent calls of their solutions: later calls
   * wait behind no more than that.
   */
  scriptBatchMs: 20,
  /**
   * The interval at which the main thread checks, while scripts run, for calls that are out of time
   * and workers that hang.
   */
  scriptWatchdogMs: 25,
  /**
   * The time without progress after which a worker thread is ended. The engine's own checks of its
   * limits are progress, so that a busy processor ends no worker that works. A call in a worker is
   * given up twice as long after its time.
   */
  scriptHangMs: 5_000,
  /**
   * CPU of one call past which its solution is quarantined, whichever limit ends the call: the
   * solution moves to the worker threads of the quarantine, and calls that wait behind it move to
   * another thread.
   */
  scriptQuarantineCpuMs: 50,
  /**
   * Worker threads that are ready to replace one that is left to its call. They start once several
   * solutions have run for some seconds, or a call takes long.
   */
  scriptWorkersSpareMax: 2,
  /**
   * CPU that a solution may use at once beyond its share of a thread. Past it the solution is
   * quarantined, however short its calls are.
   */
  scriptBurstMs: 500,
  /** A solution's share of a thread: CPU within it does not count. */
  scriptSharePercent: 25,
  /**
   * The time that a solution stays in quarantine after its last call past the limits. The time
   * doubles if it is quarantined again soon after it.
   */
  scriptQuarantineMs: 60_000,
  /** The longest time in quarantine. */
  scriptQuarantineMsMax: 32 * 60_000,
  /**
   * The longest source that is compiled, when it is pushed, by the worker thread that runs its
   * solution; longer ones are compiled in the quarantine. So are those of a solution that had much
   * compiled lately (`scriptQuarantineCpuMs` at once, or `scriptBurstMs`).
   */
  scriptCheckSmallChars: 64 * 1024,
  /**
   * Sources of one solution that wait to be compiled: two pushes of all that it may have. Past it a
   * push is refused with 503 `overloaded`.
   */
  scriptChecksWaitingMax: 1_000,
  /**
   * The pause before a delivery that was not started (no room, a worker lost) is tried again; it
   * doubles each time, and is one for all of its solution.
   */
  deliveryAgainMs: 250,
  /** The longest such pause. */
  deliveryAgainMsMax: 60_000,
  /**
   * Calls of one solution that wait at which a trigger of its own business takes longer: the script
   * that triggers it goes on when fewer wait, at the latest after `deliveriesSlowMs`.
   */
  deliveriesSlowAt: 2_000,
  /**
   * The time slice of the handlers of a batch of a connector's events. What is not done then
   * becomes a delivery, so that no solution delays the others; a solution that would be done soon
   * at its rate has more of it.
   */
  scriptEventsSliceMs: 250,
  /**
   * Time slices (`scriptEventsSliceMs`) that a solution may have for its events of a batch while it
   * makes progress: a busy processor is no reason to put off what is nearly done.
   */
  scriptEventsSlicesMax: 4,
  /** Entries of the log in one batch of connectors' events for scripts. */
  scriptEventsBatchMax: 250,
  /**
   * The age up to which a process uses its cached list of the solutions of a connector, if another
   * process changes it.
   */
  subscriptionCacheMs: 1_000,
  /** Connectors whose solutions are cached. */
  subscriptionCacheMax: 10_000,
  /** The least memory that a solution may be given. */
  scriptMemoryBytesMin: 2 * 1024 * 1024,
  /** Lines of a file that holds several scripts. */
  scriptFileLinesMax: 10_000,
  /** All scripts of one solution together. */
  solutionSourceBytesMax: 4 * 1024 * 1024,
  /**
   * The highest number of attempts that a script may request for a failed delivery of its event.
   */
  scriptRetriesMax: 20,
  /** The longest pause between these attempts. */
  scriptRetrySecondsMax: 24 * 3_600,
  /** The parameters of one service of a solution, in JSON. */
  configurationBytesMax: 256 * 1024,
  /**
   * The age up to which a cached solution is used without a read of the database: a change that
   * another process made holds after this.
   */
  programCheckMs: 250,
}
