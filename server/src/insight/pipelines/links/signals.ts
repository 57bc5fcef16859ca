import type {
  Insight,
  SignalTypeInputInfo,
  SignalTypeOutputInfo,
} from '@millrace/insight-sdk/protocol'
import { Fault, limits } from '../../../foundation/kernel/index.ts'
import {
  findPrimitiveType,
  isSameType,
  isSameUnit,
  type NewSignal,
  type PrimitiveType,
} from '../../assets/index.ts'
import { inletConversion } from './inlet-signals.ts'

/** A signal as inlets see it: one that is there, or one that an outlet will make. */
export type Port = Pick<NewSignal, 'name' | 'primitiveType' | 'dataType' | 'dataUnit' | 'source'>

/**
 * Checks that a signal fits an inlet. A type or a unit that a signal does not state refuses
 * nothing; numbers in another unit of the same quantity are converted. Pure.
 * @throws Fault invalid_argument, or not_found without a signal, naming the inlet
 */
export function checkInlet(insight: Insight, at: number, signal: Port | undefined): void {
  const inlet = insight.inlets[at]
  if (inlet === undefined) throw new Fault('invalid_argument', `There is no inlet ${at}.`)
  if (signal === undefined) {
    const { detail } = misfit(inlet, at, 'no such signal of this asset')
    throw new Fault('not_found', detail)
  }
  checkKind(inlet, at, signal)
}

function checkKind(inlet: SignalTypeInputInfo, at: number, signal: Port): void {
  const { data_type: types, data_unit: units } = inlet
  const primitive = inlet.primitive_type ?? impliedType(types)
  if (primitive !== undefined && primitive !== signal.primitiveType) {
    throw misfit(inlet, at, `"${signal.name}" is ${signal.primitiveType}, not ${primitive}`)
  }
  if (!fits(types, signal.dataType, isSameType)) {
    throw misfit(inlet, at, `"${signal.name}" is ${signal.dataType}, not ${types?.join(' or ')}`)
  }
  const isSame = (a: string, b: string) => isSameUnit(signal.dataType ?? null, a, b)
  if (!fits(units, signal.dataUnit, isSame) && inletConversion(inlet, signal) === undefined) {
    throw misfit(inlet, at, `"${signal.name}" is in ${signal.dataUnit}, not ${units?.join(' or ')}`)
  }
}

/** Returns the primitive type that all of these data types have; undefined if they differ. */
function impliedType(types: readonly string[] | undefined): PrimitiveType | undefined {
  const implied = new Set((types ?? []).map(findPrimitiveType))
  const [only] = implied
  return implied.size === 1 ? only : undefined
}

/** Returns true if they match; a field that the inlet or the signal leaves out matches. */
function fits(
  wanted: readonly string[] | undefined,
  has: string | null | undefined,
  isSame: (a: string, b: string) => boolean,
): boolean {
  if (wanted === undefined || has == null || has === '') return true
  return wanted.some((name) => isSame(name, has))
}

function misfit(inlet: SignalTypeInputInfo, at: number, why: string): Fault {
  return new Fault('invalid_argument', `Inlet ${at} ("${inlet.name}"): ${why}.`)
}

/** The data type of the signals that hold the statuses of rules. */
const statusType = 'STATUS'

/**
 * Checks that an action hangs on a status.
 * @throws Fault invalid_argument if none of its inlets is one.
 */
export function assertStatus(insight: Insight, signals: readonly Port[]): void {
  if (insight.type !== 'action') return
  const isStatus = ({ dataType, source }: Port) =>
    dataType === statusType && source != null && 'linkId' in source
  if (signals.some(isStatus)) return
  const detail = `The action "${insight.name}" runs when the level of a status changes: one of its \
inlets takes the first signal of a rule.`
  throw new Fault('invalid_argument', detail)
}

/**
 * The signals that a link's outlets feed, in order. An outlet without a primitive type has that of
 * its data type; if it names neither, its signal is JSON, which takes anything. A rule's first
 * outlet is its status, whether it declares one or not; an action has none, as its answer is not
 * used. Pure.
 */
export function outletSignals(insight: Insight, linkId: string, linkName: string): NewSignal[] {
  if (insight.type === 'action') return []
  const isRule = insight.type === 'rule'
  const outlets = isRule && insight.outlets.length === 0 ? [{ name: 'status' }] : insight.outlets
  return outlets.map((outlet: SignalTypeOutputInfo, at) => {
    const isStatus = isRule && at === 0
    return {
      name: outletName(outlet.suggested_name, outlet.name ?? String(at), insight.name, linkName),
      primitiveType: isStatus ? 'JSON' : primitiveTypeOfOutlet(outlet),
      description: (outlet.description ?? '').slice(0, limits.settingCharsMax),
      dataType: isStatus ? statusType : (outlet.data_type?.[0] ?? null),
      dataUnit: outlet.data_unit?.[0] ?? null,
      source: { linkId, outlet: at },
    }
  })
}

function primitiveTypeOfOutlet({ primitive_type: given, data_type: types }: SignalTypeOutputInfo) {
  const implied = types?.[0] === undefined ? undefined : findPrimitiveType(types[0])
  return given ?? implied ?? 'JSON'
}

function outletName(
  suggested: string | undefined,
  outlet: string,
  functionName: string,
  linkName: string,
): string {
  const name = suggested?.replaceAll('{}', () => functionName) || `${linkName} ${outlet}`
  return name.slice(0, limits.nameCharsMax)
}
