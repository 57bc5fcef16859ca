import { countBounds } from '../../schema/node.ts'
import { oneType, type PayloadSchema } from '../../schema/payload.ts'
import { type Flow, type Gap, gap, type SchemaPair } from './gap.ts'

/** The type that each count keyword applies to. */
const counted = { Items: 'array', Length: 'string', Properties: 'object' } as const

/** Returns the bounds of `wide` that values of `narrow` may break. */
export function boundGaps(flow: Flow, path: string, pair: SchemaPair): Gap[] {
  return [...numberGaps(flow, path, pair), ...countGaps(flow, path, pair)]
}

function numberGaps(flow: Flow, path: string, { narrow, wide }: SchemaPair): Gap[] {
  if (narrow.enum !== undefined) return []
  const type = oneType(narrow)
  if (![undefined, 'number', 'integer'].includes(type)) return []
  return ([1, -1] as const).flatMap((sign) => {
    const wanted = findEdge(wide, sign, type === 'integer')
    const has = findEdge(narrow, sign, type === 'integer')
    if (wanted === undefined) return []
    const inside =
      has !== undefined &&
      (has.at < wanted.at || (has.at === wanted.at && (has.open || !wanted.open)))
    return inside ? [] : [gap(flow, path, wanted.keyword, has?.value, wanted.value)]
  })
}

/**
 * Returns the tighter of the two bounds on one side; sign -1 turns lower bounds into upper ones.
 */
function findEdge(schema: PayloadSchema, sign: 1 | -1, whole: boolean) {
  const [closed, open] =
    sign === 1
      ? (['maximum', 'exclusiveMaximum'] as const)
      : (['minimum', 'exclusiveMinimum'] as const)
  const edges = [closed, open].flatMap((keyword) => {
    const value = schema[keyword]
    if (value === undefined) return []
    const at = sign * value
    if (!whole) return [{ keyword, value, at, open: keyword === open }]
    // For integers an open bound equals the closed one before it.
    return [
      { keyword, value, at: keyword === open ? Math.ceil(at) - 1 : Math.floor(at), open: false },
    ]
  })
  return edges.sort((a, b) => a.at - b.at || Number(b.open) - Number(a.open))[0]
}

function countGaps(flow: Flow, path: string, { narrow, wide }: SchemaPair): Gap[] {
  return countBounds.flatMap((keyword) => {
    const wanted = wide[keyword]
    const type = counted[keyword.slice(3) as keyof typeof counted]
    const own = oneType(narrow)
    const possible = own === undefined || own === type
    if (wanted === undefined || !possible) return []
    if (narrow.enum !== undefined && type !== 'string') return []
    const has = narrow[keyword]
    const inside = keyword.startsWith('max')
      ? has !== undefined && has <= wanted
      : (has ?? 0) >= wanted
    return inside ? [] : [gap(flow, path, keyword, has, wanted)]
  })
}
