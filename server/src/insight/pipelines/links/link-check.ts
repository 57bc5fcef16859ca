import type { JsonValue } from '@millrace/insight-sdk/protocol'

export const checkTypes = ['number', 'boolean', 'string', 'json', 'time'] as const
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export type CheckType = (typeof checkTypes)[number]
type Weekday = (typeof weekdays)[number]

/**
 * A condition that a value, or its time, must meet. Before a function runs, of the values of an
 * inlet, or of all inlets; after it, of the values of an outlet.
 */
export type LinkCheck = {
  readonly type: CheckType
  /** Counted from 0; of all inlets if neither this nor `outlet` is given. */
  readonly inlet?: number
  readonly outlet?: number
  /** Turns it round: a number outside the range, a time outside the window. */
  readonly not?: boolean
  /** The part of a JSON value that is judged, such as `$.state.level`; else the whole value. */
  readonly path?: string
  /** The range of a `number`, its ends included. */
  readonly minimum?: number
  readonly maximum?: number
  /** The wanted value of a `boolean`. */
  readonly is?: boolean
  /** The wanted part of a `string`. */
  readonly contains?: string
  /** The wanted value in `json`; without it something must be at the path. */
  readonly equals?: JsonValue
  /** The days of a `time`: its window begins on each of these days, or on every day. */
  readonly days?: readonly Weekday[]
  /** `HH:MM`; the window's begin, and its end, which is not part of it. */
  readonly from?: string
  readonly to?: string
  /** By its name in the IANA database; UTC without it. */
  readonly timeZone?: string
}

/** A check as a person gives it; null is the same as left out. */
export type CheckSpec = { readonly [Field in keyof LinkCheck]?: unknown }
