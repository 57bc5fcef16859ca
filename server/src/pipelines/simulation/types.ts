import type { Json } from '../../kernel/index.ts'
import type { PipelineChange } from '../document/types.ts'

/** Recorded values of an asset, and the pipeline that they are to go through. */
export type SimulationRequest = {
  /** Microseconds; part of the range. */
  readonly from: number
  /** Microseconds; not part of the range. */
  readonly to: number
  /** The change that is tried; none: the pipeline as it is. */
  readonly change?: PipelineChange | undefined
  /** Whether the values of functions' outlets are stored where there are none. */
  readonly store?: boolean | undefined
}

/** A change of a rule's level. */
export type SimulatedLevel = {
  /** Microseconds. */
  readonly ts: number
  readonly level: number
  readonly previous: number
  readonly type: string | null
  readonly value: Json
}

/** A rule: its level is 0 before the first value. */
export type SimulatedRule = {
  readonly linkId: string
  readonly name: string
  /** How often its level rose. */
  readonly fired: number
  readonly changes: readonly SimulatedLevel[]
}

/** An action: nothing is sent. */
export type SimulatedAction = {
  readonly linkId: string
  readonly name: string
  readonly count: number
  /** Microseconds. */
  readonly at: readonly number[]
}

/** The values that an outlet's signal would have. */
export type SimulatedSignal = {
  /** Of a signal that the change makes, the name of the link and the outlet. */
  readonly id: string
  readonly name: string
  readonly count: number
}

export type SimulatedFailure = {
  readonly linkId: string
  readonly name: string
  readonly count: number
  /** The reason of the first one. */
  readonly reason: string
}

/** What a pipeline makes of the recorded values. Lists hold at most `simulationShownMax` items. */
export type SimulatedPipeline = {
  readonly signals: readonly SimulatedSignal[]
  readonly rules: readonly SimulatedRule[]
  readonly actions: readonly SimulatedAction[]
  readonly failures: readonly SimulatedFailure[]
}

/** A signal of which the two pipelines make other values. */
export type SignalDifference = {
  readonly id: string
  readonly name: string
  /** Values at times at which only one of them has one, or at which they are not equal. */
  readonly count: number
  /** The first of them. */
  readonly first: { readonly ts: number; readonly live: Json; readonly changed: Json }
}

/** A rule whose level, or an action whose runs, differ; by the times at which only one has it. */
export type TimesDifference = {
  readonly linkId: string
  readonly name: string
  readonly liveOnly: readonly number[]
  readonly changedOnly: readonly number[]
}

export type Simulation = {
  readonly from: number
  readonly to: number
  /** Recorded values that went through. */
  readonly values: number
  readonly live: SimulatedPipeline
  readonly changed: SimulatedPipeline
  readonly difference: {
    readonly signals: readonly SignalDifference[]
    readonly rules: readonly TimesDifference[]
    readonly actions: readonly TimesDifference[]
  }
  /** The signals of which values were stored. */
  readonly stored: readonly SimulatedSignal[]
  /**
   * What was taken from the recording because it cannot be simulated, and
   * what was not stored; a sentence each.
   */
  readonly notes: readonly string[]
}
