import type { ConstantInfo, Insight, JsonValue, SignalData } from '@millrace/insight-sdk/protocol'
import { Fault, type Json } from '../../../foundation/kernel/index.ts'
import type { NewSignal, PrimitiveType } from '../../assets/index.ts'
import type { Constants } from '../types.ts'

/** The arguments of a built-in function. */
export type BuiltinCall = {
  readonly data: readonly SignalData[]
  readonly constants: Constants
  /** The last value of its first outlet, if it reads that (`readsPrevious`). */
  readonly previous: unknown
  /** The state that it kept in its last call; undefined before the first. */
  readonly state: Json | undefined
  /** False for the last value of an inlet that has nothing new. */
  readonly isNew: (datum: SignalData) => boolean
}

/** The values of each outlet; what it keeps; a sentence for each datum that it could not take. */
export type BuiltinAnswer = {
  readonly outlets: readonly (readonly SignalData[])[]
  readonly state?: Json
  readonly complaints?: readonly string[]
}

/** The known properties of a signal at an inlet. */
export type Kind = Pick<NewSignal, 'primitiveType' | 'dataType' | 'dataUnit'>

/** The groups in which functions are listed, and the `group_id` of each. */
export const builtinGroups = [
  'calculate',
  'statistics',
  'changes',
  'logic',
  'rules',
  'actions',
] as const

export type Builtin = {
  readonly group: (typeof builtinGroups)[number]
  readonly insight: Insight
  /** Returns true if it keeps a state with these constants; without it, it keeps none. */
  isStateful?(constants: Constants): boolean
  /** Returns true if with these constants it needs `previous`; without it, it never does. */
  readsPrevious?(constants: Constants): boolean
  /** @throws Fault invalid_argument for constants that make no sense together. */
  check?(constants: Constants): void
  /** The outlets as they are with these constants and signals; without it, as in `insight`. */
  chooseOutlets?(constants: Constants, inlets: readonly Kind[]): Insight['outlets']
  /** Pure. @throws Fault */
  process(call: BuiltinCall): BuiltinAnswer
}

/** A step of a function with one inlet that keeps a state. Without a value nothing goes out. */
export type StateStep<State extends Json> = (
  state: State | undefined,
  datum: SignalData,
  constants: Constants,
) => { readonly state: State; readonly value?: JsonValue | undefined; readonly complaint?: string }

/** Takes a function's data one after the other, each with what the one before left. */
export function stepping<State extends Json>(step: StateStep<State>): Builtin['process'] {
  return ({ data, constants, state }) => {
    let kept = state as State | undefined
    const values: SignalData[] = []
    const complaints: string[] = []
    for (const datum of data) {
      const next = step(kept, datum, constants)
      kept = next.state
      if (next.value !== undefined) values.push({ ...datum, value: next.value })
      if (next.complaint !== undefined) complaints.push(next.complaint)
    }
    return { outlets: [values], state: kept ?? null, complaints }
  }
}

/** Makes a value of each datum, without a state. */
export function mapping(
  of: (value: JsonValue, constants: Constants) => JsonValue,
): Builtin['process'] {
  return ({ data, constants }) => ({
    outlets: [data.map((datum) => ({ ...datum, value: of(datum.value, constants) }))],
  })
}

/** The values of all inlets at the time of one datum. */
export type AlignedRow = { readonly datum: SignalData; readonly values: readonly JsonValue[] }

/**
 * The values of several inlets beside each other, at each time at which one of them has a new one.
 * An inlet whose first value in the call is later has that one.
 */
export function alignedRows({ data, isNew }: BuiltinCall, count: number): AlignedRow[] {
  const inlets = Array.from({ length: count }, (_, at) => {
    return data.filter(({ tags }) => Number(tags?.inlet) === at)
  })
  if (inlets.some((own) => own.length === 0)) return []
  const now = inlets.map((own) => own[0]?.value ?? null)
  const rows = new Map<number, AlignedRow>()
  for (const datum of data) {
    now[Number(datum.tags?.inlet)] = datum.value
    if (isNew(datum)) rows.set(datum.ts, { datum, values: [...now] })
  }
  return [...rows.values()]
}

export const numericInlet = {
  name: 'value',
  primitive_type: 'NUMERIC',
  description: 'The number.',
} as const

/** Inlets named a, b, c, …; as many as are wanted. */
export function namedInlets(count: number, primitiveType?: PrimitiveType): Insight['inlets'] {
  const kind = primitiveType === undefined ? {} : { primitive_type: primitiveType }
  return inletNames.slice(0, count).map((name) => ({ name, ...kind }))
}

export const inletNames = ['a', 'b', 'c', 'd', 'e'] as const

/** Outlets whose values are of the same kind as those of the first inlet. */
export function outletsLikeInlet(
  insight: Insight,
): (constants: Constants, inlets: readonly Kind[]) => Insight['outlets'] {
  return (_, [signal]) => {
    if (signal === undefined) return insight.outlets
    const { primitiveType, dataType, dataUnit } = signal
    const kind = {
      primitive_type: primitiveType,
      ...(dataType == null ? {} : { data_type: [dataType] }),
      ...(dataUnit == null ? {} : { data_unit: [dataUnit] }),
    }
    return insight.outlets.map((outlet) => ({ ...outlet, ...kind }))
  }
}

export function numberIn(constants: Constants, name: string, fallback: number): number {
  const value = constants[name]
  return typeof value === 'number' ? value : fallback
}

export function textIn(constants: Constants, name: string, fallback = ''): string {
  const value = constants[name]
  return typeof value === 'string' ? value : fallback
}

export function listIn(constants: Constants, name: string): readonly (string | number | boolean)[] {
  const value = constants[name]
  return Array.isArray(value) ? value : []
}

/** A constant of whole numbers, which the protocol has no type for. */
export function checkWhole(constants: Constants, name: string): void {
  const value = constants[name]
  if (value === undefined || Number.isInteger(value)) return
  throw new Fault('invalid_argument', `The constant "${name}" must be a whole number.`)
}

/** A constant of seconds, at most those of the longest window. */
export function secondsConstant(name: string, description: string, maximum: number): ConstantInfo {
  return { name, type: 'number', description, default: 0, minimum: 0, maximum }
}
