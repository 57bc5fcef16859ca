import type {
  ConstantInfo,
  ConstantValue,
  Insight,
  JsonValue,
  ProcessRequest,
  SignalData,
} from '../protocol.ts'

/** The linkage of the checks; the module gets a lifecycle event for its end, if it wants them. */
export const sampleLinkId = 'conformance'

/** A tag that no module defines, to check that it is kept. */
export const probe = { tag: 'probe', text: 'kept' } as const

const sampleOrigin = 'connector.device.data_in.001'
/** 2020-01-01, in microseconds. */
const sampleTs = 1_577_836_800_000_000

/** A call of a function with one value an inlet, and constants as a user might give them. */
export function sampleRequest(insight: Insight): ProcessRequest {
  const inlets = insight.inlets.length === 0 ? [undefined] : insight.inlets
  return {
    id: sampleLinkId,
    data: inlets.map(
      (inlet, index): SignalData => ({
        ts: sampleTs + index,
        value: sampleValue(inlet?.primitive_type),
        origin: sampleOrigin,
        generated: sampleOrigin,
        tags: { inlet: inlet?.tag ?? String(index), [probe.tag]: probe.text },
        ttl: 7,
      }),
    ),
    args: {
      function_id: insight.id,
      constants: Object.fromEntries(insight.constants.map((it) => [it.name, sampleConstant(it)])),
    },
  }
}

/** The same call with a text for each number, or undefined if no inlet takes numbers. */
export function unusableRequest(insight: Insight): ProcessRequest | undefined {
  const request = sampleRequest(insight)
  const isNumeric = (index: number) => insight.inlets[index]?.primitive_type === 'NUMERIC'
  if (!request.data.some((_, index) => isNumeric(index))) return undefined
  const data = request.data.map((signal, index) =>
    isNumeric(index) ? Object.assign({ ...signal }, { value: 'no number' }) : signal,
  )
  return { id: request.id, data, args: request.args }
}

function sampleValue(primitiveType: string | undefined): JsonValue {
  if (primitiveType === 'STRING') return 'text'
  if (primitiveType === 'BOOLEAN') return true
  return primitiveType === 'JSON' ? { text: 'text' } : 1.5
}

function sampleConstant(constant: ConstantInfo): ConstantValue | readonly ConstantValue[] {
  const value = constant.default ?? constant.enum?.[0] ?? typicalValue(constant)
  return constant.multiple === true ? [value] : value
}

function typicalValue({ type, minimum, maximum }: ConstantInfo): ConstantValue {
  if (type === 'string') return 'text'
  return type === 'boolean' ? true : (minimum ?? maximum ?? 1)
}
