/** Limits of `pipelines` that no operator sets. */
export const pipelineLimits = {
  /** Runs of linked functions in flight at once that call modules, of one business. */
  moduleCallsOfBusinessMax: 64,
  /** The same that call one module. */
  moduleCallsOfModuleMax: 48,
  /**
   * The time after which a run that waits for calls of the same module is put off, if none of them
   * has ended in it. Others of the module are put off at once, until one ends.
   */
  moduleWaitMs: 100,
  /**
   * The time that a batch of the log waits for calls of modules, in all. What is not answered by
   * then goes on as a job. 0: each run is a job.
   */
  moduleInlineMsMax: 100,
  /** The least time after which an answer that a batch waits for is late. */
  moduleInlineMsLeast: 25,
  /**
   * The time for which batches do not wait for a function that was late; it doubles each time until
   * its answers are quick again.
   */
  moduleInlineRestMs: 250,
  /** The longest such time. */
  moduleInlineRestMsMax: 10_000,
  /** The same that it claims at once. */
  functionRunsClaimMax: 1_000,
  /** Values of entries that wait for one asset and go to its functions in one call. */
  functionRunValuesMax: 1_000,
  /** Characters of such values; a value counts at least 100. */
  functionRunCharsMax: 200_000,
  /** Attempts of a run that fails by a fault of the instance, such as a lost database. */
  functionRunTriesMax: 10,
  /** Failures in a row after which calls of a module pause. */
  moduleFailuresInRowMax: 5,
  /**
   * The time from the first failure in a row of a module that is away for which calls of runs are
   * made again, with pauses, before they fail. The runs of their assets wait meanwhile.
   */
  moduleOutageMs: 30_000,
  /** The time for which calls of such a module pause. */
  modulePauseMs: 5_000,
  /** Modules that fail whose failures in a row are counted. */
  moduleHealthsMax: 10_000,
  /** The age up to which a module's cached list of functions is used. */
  moduleFunctionsCacheMs: 10_000,
  /** The age at which the functions of a linked module are read again. */
  moduleRefreshMs: 10 * 60_000,
  /** Functions that one module may list in one group. */
  moduleFunctionsMax: 1_000,
  /**
   * The interval at which the same failure of the same link is written into the asset's log again.
   */
  moduleNoteRepeatMs: 60_000,
  /** Problems that the refusal of a pipeline names. */
  pipelineProblemsMax: 100,
  /** Checks of one link. */
  linkChecksMax: 20,
  /** Hours for which it is kept how long functions took, and which calls were made. */
  traceHours: 24,
  /** Calls of modules that one simulation makes. */
  simulationCallsMax: 1_000,
  /** Times that the lists of a simulation's answer hold. */
  simulationShownMax: 1_000,
  /** Values of one constant that may be given several times. */
  constantValuesMax: 100,
  /** Entries whose functions run before their results are stored together. */
  functionsBatchMax: 500,
  /** The fewest entries of such a batch, if modules do not answer in time for more. */
  functionsBatchLeast: 10,
  /** Links that one value may pass through; SignalData's `ttl` starts here. */
  pipelineStepsMax: 20,
  /** Values that a built-in function of a window keeps; they are written with each batch. */
  functionWindowValuesMax: 1_000,
  /** The longest window, duration or gap of a built-in function: 31 days. */
  functionWindowSecondsMax: 2_678_400,
  /** Characters of an expression, which bound the depth of its parentheses. */
  expressionCharsMax: 500,
  /** Values in one answer of a module. */
  moduleAnswerValuesMax: 10_000,
}
