import type { Insight, SignalTypeInputInfo } from '@millrace/insight-sdk/protocol'
import type { NewSignal, Signal } from '../../assets/index.ts'
import { Fault, limits } from '../../kernel/index.ts'

/**
 * The signals that a link's inlets get, in the order of the function's inlets. What a signal does
 * not state (its type, its unit) does not refuse it. Pure.
 * @throws Fault invalid_argument, naming the inlet
 */
export function checkedInlets(
  insight: Insight,
  assetId: string,
  wanted: readonly { readonly signalId: string }[],
  known: readonly Signal[],
): readonly Signal[] {
  const { inlets, name } = insight
  if (wanted.length !== inlets.length) {
    const count = `${inlets.length} inlet${inlets.length === 1 ? '' : 's'}`
    throw new Fault('invalid_argument', `The function "${name}" has ${count}.`)
  }
  return inlets.map((inlet, at) => {
    const signal = known.find((one) => one.id === wanted[at]?.signalId)
    if (signal === undefined || signal.assetId !== assetId) {
      throw misfit(inlet, at, 'no such signal of this asset')
    }
    checkKind(inlet, at, signal)
    return signal
  })
}

function checkKind(inlet: SignalTypeInputInfo, at: number, signal: Signal): void {
  const { primitive_type: primitive, data_type: types, data_unit: units } = inlet
  if (primitive !== undefined && primitive !== signal.primitiveType) {
    throw misfit(inlet, at, `"${signal.name}" is ${signal.primitiveType}, not ${primitive}`)
  }
  if (!fits(types, signal.dataType)) {
    throw misfit(inlet, at, `"${signal.name}" is ${signal.dataType}, not ${types?.join(' or ')}`)
  }
  if (!fits(units, signal.dataUnit)) {
    throw misfit(inlet, at, `"${signal.name}" is in ${signal.dataUnit}, not ${units?.join(' or ')}`)
  }
}

/** Returns true if they match; a field that the inlet or the signal leaves out matches. */
function fits(wanted: readonly string[] | undefined, has: string | null): boolean {
  return wanted === undefined || has === null || has === '' || wanted.includes(has)
}

function misfit(inlet: SignalTypeInputInfo, at: number, why: string): Fault {
  return new Fault('invalid_argument', `Inlet ${at} ("${inlet.name}"): ${why}.`)
}

/**
 * The signals that a link's outlets feed, in order. An outlet that does not say what its values
 * are makes a signal of JSON, which takes anything. A rule's first outlet is its status. Pure.
 */
export function outletSignals(insight: Insight, linkId: string, linkName: string): NewSignal[] {
  return insight.outlets.map((outlet, at) => {
    const isStatus = insight.type === 'rule' && at === 0
    return {
      name: outletName(outlet.suggested_name, outlet.name ?? String(at), insight.name, linkName),
      primitiveType: isStatus ? 'JSON' : (outlet.primitive_type ?? 'JSON'),
      description: (outlet.description ?? '').slice(0, limits.settingCharsMax),
      dataType: outlet.data_type?.[0] ?? null,
      dataUnit: outlet.data_unit?.[0] ?? null,
      source: { linkId, outlet: at },
    }
  })
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
