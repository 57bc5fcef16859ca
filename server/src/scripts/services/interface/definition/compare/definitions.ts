import { type PayloadSchema, toPayload } from '../../schema/payload.ts'
import type { Breaking, Definition } from '../definition.ts'
import { type Flow, formatGap, toPair } from './gap.ts'
import { schemaGaps } from './schemas.ts'

type Named = { readonly name: string }

/**
 * Returns the breaking changes: arguments that were accepted and now are not, answers and events
 * that changed. Additions break nothing.
 */
export function compareDefinitions(before: Definition, after: Definition): Breaking[] {
  return [
    ...pairs(before.operations, after.operations, 'operation', (one, other) => [
      ...changes('in', 'parameters', toPayload(one.parameters), toPayload(other.parameters)),
      ...changes('out', 'response', toPayload(one.response), toPayload(other.response)),
    ]),
    // An event goes the other way: its data is what subscribers get, its response what they give.
    ...pairs(before.events, after.events, 'event', (one, other) => [
      ...changes('out', 'parameters', toPayload(one.parameters), toPayload(other.parameters)),
      ...changes('in', 'response', toPayload(one.response), toPayload(other.response)),
    ]),
    ...parameterChanges(before, after),
    ...modeChange(before, after),
  ]
}

function pairs<Part extends Named>(
  before: readonly Part[],
  after: readonly Part[],
  part: Breaking['part'],
  compare: (one: Part, other: Part) => string[],
): Breaking[] {
  const known = new Map(after.map((one) => [one.name, one]))
  return before.flatMap((one) => {
    const other = known.get(one.name)
    const found = other === undefined ? ['is gone'] : compare(one, other)
    return found.map((change) => ({ part, name: one.name, change }))
  })
}

function changes(flow: Flow, path: string, before: PayloadSchema, after: PayloadSchema): string[] {
  return [...new Set(schemaGaps(flow, path, toPair(flow, before, after)).map(formatGap))]
}

/** A parameter that is no longer declared is accepted unchecked, so it breaks nothing. */
function parameterChanges(before: Definition, after: Definition): Breaking[] {
  const listed = before.parameters.filter(({ name }) =>
    after.parameters.some((one) => one.name === name),
  )
  return pairs(listed, after.parameters, 'parameter', (one, other) =>
    changes('in', one.name, toPayload(one), toPayload(other)),
  )
}

function modeChange({ mode: before }: Definition, { mode: after }: Definition): Breaking[] {
  if (before === after) return []
  const change = `was ${before ?? 'not set'}, is ${after ?? 'not set'}`
  return [{ part: 'mode', name: 'mode', change }]
}
