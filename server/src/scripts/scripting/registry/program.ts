/** All that a solution's virtual machine is built from. The same version is the same program. */
export type Program = {
  readonly businessId: string
  readonly solutionId: string
  /** Grows with each change of scripts, service configurations or limits. */
  readonly version: number
  /** In the order in which they are run. */
  readonly chunks: readonly Chunk[]
  /** Aliases of the services that its scripts can call, in their written form: `http`, `pump2`. */
  readonly services: readonly string[]
  readonly limits: ScriptLimits
  /** The values of `os.getenv`. */
  readonly env?: Readonly<Record<string, string>>
  /** Each call has a machine of its own, which is gone with it. */
  readonly cold?: true
}

export type Chunk = {
  /** The file's name in errors: `device2_event.lua`. */
  readonly name: string
  readonly source: string
  readonly role: ChunkRole
}

/**
 * `handler`: the source is the body of the global function `defines`; it is compiled, not run.
 * `module`: found by `require(<module>)`, run once when the machine is made, or at the first
 * `require`. `plain`: run once, when the machine is made.
 */
export type ChunkRole =
  | {
      readonly kind: 'handler'
      readonly defines: string
      readonly parameters: readonly string[]
      /** Another name of the first parameter. */
      readonly also?: string
      /** A parameter that comes back as the script left it: the result is `{value, <name>}`. */
      readonly returns?: string
      /** Its first parameter is of a websocket, and can answer that by itself. */
      readonly socket?: true
    }
  | { readonly kind: 'module'; readonly module: string }
  | { readonly kind: 'plain' }

/** The limits of one solution; the defaults stand in kernel/limits.ts. */
export type ScriptLimits = {
  readonly memoryBytesMax: number
  /** CPU of one call: milliseconds of its thread's time. */
  readonly cpuMsMax: number
  readonly wallMsMax: number
  /** Bytes of an argument or a result, in JSON. */
  readonly valueBytesMax: number
  readonly serviceCallsMax: number
  readonly logBytesPerCallMax: number
}

/** The place at which a source cannot be compiled. */
export type SyntaxProblem = {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** The global `context` of a handler. */
export type ScriptContext = {
  readonly solution_id: string
  readonly tracking_id: string
  /** The service of which it handles an event: `device2`. */
  readonly service: string
  /** The event, of the handler of events without one. */
  readonly event?: string
  /** The solution that called an operation: the subscriber's. */
  readonly caller_id?: string
}
