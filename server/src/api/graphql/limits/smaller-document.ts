import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type ObjectFieldNode,
  print,
  type ValueNode,
  visit,
} from 'graphql'
import { limits } from '../../../foundation/kernel/index.ts'
import {
  computeCost,
  type Estimate,
  type EstimateOptions,
  estimate,
  type PlaceCost,
} from './estimate.ts'
import type { LimitArgument } from './list-size.ts'

/** Fields that are estimated at most to find smaller limits for a GraphQL document. */
const graphqlSmallerFieldsMax = 5_000

type Variables = Readonly<Record<string, unknown>>

/** A document that costs less than may be, and what was changed for it. */
export type Smaller = {
  /** In words: the limits, with the places they stand at. */
  readonly change: string
  readonly query: string
  readonly variables: Variables
  readonly cost: number
}

type Limited = PlaceCost & { readonly limit: LimitArgument }
type Limits = ReadonlyMap<FieldNode, number>

/** The place that costs most; undefined for a document that costs nothing. */
export function findDearest({ places }: Estimate): PlaceCost | undefined {
  let dearest: PlaceCost | undefined
  for (const place of places) {
    if (dearest === undefined || computeCost(place) > computeCost(dearest)) dearest = place
  }
  return dearest
}

/**
 * Makes a document pass by smaller limits: the highest one of a single place with which it does,
 * the dearest place first, else halves of several. Undefined where no limit is left to lower, or
 * where `graphqlSmallerFieldsMax` is not enough to find one.
 */
export function smallerThan(
  options: EstimateOptions,
  given: Variables | undefined,
  most = limits.graphqlCostMax,
): Smaller | undefined {
  const search = new Search(options)
  const whole = search.with(new Map())
  if (whole === undefined) return undefined
  const places = listLimited(whole)
  const chosen = search.highestOfOne(places, most) ?? search.halvesOfSeveral(most)
  const found = chosen && search.with(chosen)
  if (chosen === undefined || found === undefined) return undefined
  const changed = places.filter(({ nodes: [node] }) => node !== undefined && chosen.has(node))
  return {
    change: changed.map((place) => formatLimit(place, chosen)).join(', '),
    ...rewritten(options.document, changed, chosen, given ?? {}),
    cost: found.cost,
  }
}

/** Estimates one document with other limits, as long as its bound of work allows. */
class Search {
  readonly #options: EstimateOptions
  #fieldsLeft: number = graphqlSmallerFieldsMax

  constructor(options: EstimateOptions) {
    this.#options = options
  }

  /** The estimate with these limits; undefined once the bound is reached. */
  with(limitsAt: Limits): Estimate | undefined {
    if (this.#fieldsLeft <= 0) return undefined
    const found = estimate({ ...this.#options, limitsAt })
    this.#fieldsLeft -= found.fields
    return found
  }

  #passes(limitsAt: Limits, most: number): boolean {
    const found = this.with(limitsAt)
    return found !== undefined && found.cost <= most
  }

  /** The highest limit of a single place with which the document passes. */
  highestOfOne(places: readonly Limited[], most: number): Limits | undefined {
    const place = places.find((one) => this.#passes(makeLimits(one, 1), most))
    if (place === undefined) return undefined
    let [low, high] = [1, place.size]
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#passes(makeLimits(place, middle), most)) low = middle
      else high = middle
    }
    return makeLimits(place, low)
  }

  /** Halves the limit of the dearest place that has one above 1, until the document passes. */
  halvesOfSeveral(most: number): Limits | undefined {
    const chosen = new Map<FieldNode, number>()
    for (;;) {
      const now = this.with(chosen)
      if (now === undefined || now.cost <= most) return now && chosen
      const dearest = listLimited(now).find(({ size }) => size > 1)
      if (dearest === undefined) return undefined
      for (const node of dearest.nodes) chosen.set(node, Math.floor(dearest.size / 2))
    }
  }
}

function listLimited({ places }: Estimate): Limited[] {
  const limited = places.filter((place): place is Limited => place.limit !== undefined)
  return limited.sort((one, other) => computeCost(other) - computeCost(one))
}

const makeLimits = ({ nodes }: Limited, limit: number): Limits =>
  new Map(nodes.map((node) => [node, limit]))

function formatLimit({ path, nodes: [node] }: Limited, chosen: Limits): string {
  return `limit: ${node && chosen.get(node)} of ${path}`
}

/** Writes the limits into the document, or into the variables that it takes them from. */
function rewritten(
  document: DocumentNode,
  places: readonly Limited[],
  chosen: Limits,
  given: Variables,
): { query: string; variables: Variables } {
  const variables: Record<string, unknown> = { ...given }
  const limitsOf = new Map(
    places.flatMap(({ nodes, limit }) => nodes.map((node) => [node, limit] as const)),
  )
  const written = visit(document, {
    Field(node) {
      const [limit, value] = [limitsOf.get(node), chosen.get(node)]
      if (limit === undefined || value === undefined) return undefined
      return { ...node, arguments: withLimit(node, limit, value, variables) }
    },
  })
  return { query: print(written), variables }
}

function withLimit(
  { arguments: args = [] }: FieldNode,
  limit: LimitArgument,
  value: number,
  variables: Record<string, unknown>,
): readonly ArgumentNode[] {
  const { name, inner } = limit
  const node = args.find((one) => one.name.value === name)
  const others = args.filter((one) => one !== node)
  const whole = node?.value
  if (whole?.kind === Kind.VARIABLE) {
    const variable = whole.name.value
    const before = variables[variable] as Variables | null | undefined
    variables[variable] = inner ? { ...before, limit: value } : value
    return args
  }
  const fields = whole?.kind === Kind.OBJECT ? whole.fields : []
  const own = fields.find((field) => field.name.value === 'limit')?.value
  if (own?.kind === Kind.VARIABLE) {
    variables[own.name.value] = value
    return args
  }
  return [...others, argument(name, inner ? objectWith(fields, value) : intValue(value))]
}

function objectWith(fields: readonly ObjectFieldNode[], limit: number): ValueNode {
  const others = fields.filter((field) => field.name.value !== 'limit')
  const own = { kind: Kind.OBJECT_FIELD, name: nameNode('limit'), value: intValue(limit) } as const
  return { kind: Kind.OBJECT, fields: [...others, own] }
}

const nameNode = (value: string) => ({ kind: Kind.NAME, value }) as const
const intValue = (value: number) => ({ kind: Kind.INT, value: `${value}` }) as const
const argument = (name: string, value: ValueNode): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: nameNode(name),
  value,
})
