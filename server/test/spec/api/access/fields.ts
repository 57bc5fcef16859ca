import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  getDirectiveValues,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { readSchema } from '../../../../src/api/graphql/index.ts'
import type { Ids } from './requests.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Variables = Readonly<Record<string, Json>>
export type Field = GraphQLField<unknown, unknown>
export type Kind = 'query' | 'mutation' | 'subscription'

const schema = buildSchema(readSchema())

export function listFields(kind: Kind): Field[] {
  const type = schema.getType(kind.replace(/^./, (letter) => letter.toUpperCase()))
  return isObjectType(type) ? Object.values(type.getFields()) : []
}

/** The permission that a field asks for besides those of what it lies in. */
export function readPermission({ astNode }: Field): string | undefined {
  const directive = schema.getDirective('permission')
  const values = directive && astNode ? getDirectiveValues(directive, astNode) : undefined
  return values === undefined ? undefined : String(values.requires)
}

/** The names of what an `id` is the id of, where the type of the answer does not say so. */
const idOf: Readonly<Record<string, string>> = {
  AssetStatusReport: 'asset',
  ConditionComment: 'condition',
  InternalInsightModule: 'built-in module',
  TemplateVersion: 'template',
  WorkInstruction: 'instruction',
  ReportSignal: 'signal',
  revokeInvitation: 'invitation',
  revokeToken: 'api-tokens/:token',
  deleteUser: 'user',
}

/** The names of ids under other names. */
const namedBy: Readonly<Record<string, string>> = {
  asset_id: 'asset',
  condition_id: 'condition',
  groups: 'group',
  rule: 'link',
  group_id: 'group',
  job_id: 'report',
  parent: 'group',
  workInstruction: 'instruction',
}

const texts: Readonly<Record<string, Json>> = {
  String: 'walk',
  Int: 1,
  Float: 1,
  Boolean: true,
  JSON: {},
  Timestamp: '2026-01-31T12:00:00Z',
}

/** Values of arguments that their types do not give. */
const values: Readonly<Record<string, (ids: Ids) => Variables>> = {
  addWorkInstructionVersion: () => ({ file: { filename: 'walk.txt', data: 'd2Fsaw==' } }),
  deleteGroup: ({ mark = '' }) => ({ confirm: mark }),
  createReport: ({ signal = '' }) => ({
    report_info: {
      start_timestamp: 1,
      end_timestamp: 2,
      signals: [{ id: signal, name: 'walk' }],
      assetNames: [],
    },
  }),
  createRole: () => ({ input: { name: 'walk', permissions: ['View Asset'] } }),
  createToken: () => ({ input: { name: 'walk', role: 'Viewer' } }),
  deleteRole: (ids) => ({ name: ids['roles/:role'] ?? '' }),
  fittingSignals: () => ({ inlet: 0 }),
  inviteUser: ({ caller }) => ({ input: { email: `${caller}@acme.example`, role: 'Viewer' } }),
  linkFunction: ({ asset = '', signal = '' }) => ({
    input: {
      assetId: asset,
      moduleId: 'builtin',
      functionId: 'threshold',
      constants: { warning: 1 },
      inlets: [{ signalId: signal }],
    },
  }),
  savePipeline: () => ({ input: { links: [], whole: false, removeSignals: false } }),
  setDeviceResources: () => ({ values: { level: 10 } }),
  setRoleRateLimits: (ids) => ({ name: ids['roles/:role'] ?? '' }),
  unlinkFunction: () => ({ removeSignals: false }),
  updateRole: (ids) => ({
    input: { name: ids['roles/:role'] ?? '', permissions: ['View Asset'] },
  }),
  writeSignalValues: ({ signal = '' }) => ({ values: [{ signalId: signal, value: 1 }] }),
}

/** Inputs that are refused without more than they require. */
const bases: Readonly<Record<string, (ids: Ids) => Variables>> = {
  PipelineLinkInput: ({ signal = '' }) => ({
    moduleId: 'builtin',
    functionId: 'threshold',
    constants: { warning: 1 },
    inlets: [{ signalId: signal }],
  }),
}

type Place = { readonly field: Field; readonly ids: Ids; readonly own: Ids }

function idFor(name: string, owner: string, { field, ids }: Place): string {
  const type = owner === '' ? getNamedType(field.type).name : owner
  const lower = type.replace(/^./, (letter) => letter.toLowerCase())
  const own = idOf[field.name] ?? idOf[type] ?? lower
  const key = /^ids?$/.test(name)
    ? own
    : (namedBy[name.replace(/Ids?$/, '')] ?? name.replace(/Ids?$/, ''))
  return ids[key] ?? ids[name] ?? `no ${key}`
}

/** A value with all that is required, and nothing else. */
function makeInput(type: GraphQLInputType, name: string, owner: string, place: Place): Json {
  if (isNonNullType(type)) return makeInput(type.ofType, name, owner, place)
  if (isListType(type)) return [makeInput(type.ofType, name, owner, place)]
  if (isEnumType(type)) return type.getValues()[0]?.name ?? null
  if (name === 'identity' || name === 'identities') return place.ids.identity ?? ''
  if (!isInputObjectType(type)) {
    if (type.name === 'ID') return idFor(name, owner, place)
    return texts[type.name] ?? {}
  }
  const required = Object.values(type.getFields()).filter((one) => isNonNullType(one.type))
  return Object.fromEntries(
    required.map((one) => [one.name, makeInput(one.type, one.name, type.name, place)]),
  )
}

/** The variables of a valid call, with all that is required and nothing else. */
export function makeVariables(field: Field, ids: Ids): Variables {
  const required = field.args.filter(({ type }) => isNonNullType(type))
  return {
    ...Object.fromEntries(
      required.map(({ name, type }) => [name, makeInput(type, name, '', { field, ids, own: ids })]),
    ),
    ...values[field.name]?.(ids),
  }
}

type Arguments = readonly { readonly name: string; readonly type: GraphQLInputType }[]

/** The calls of who has ids of its own with one id of others each, wherever one may be given. */
export function callsWithOne(field: Field, own: Ids, theirs: Ids): Variables[] {
  const calls = withIds(field.args, '', makeVariables(field, own), { field, ids: theirs, own })
  return [...calls]
}

function* withIds(
  fields: Arguments,
  owner: string,
  base: Variables,
  place: Place,
  depth = 0,
): Generator<Variables> {
  for (const { name, type } of fields) {
    const named = getNamedType(type)
    const isId = named.name === 'ID' || name === 'identity'
    if (isId) yield { ...base, [name]: makeInput(type, name, owner, place) }
    if (!isInputObjectType(named) || depth > 2) continue
    const given = base[name] ?? []
    const [one = bases[named.name]?.(place.own) ?? {}] = (
      Array.isArray(given) ? given : [given]
    ) as Variables[]
    const needed = makeInput(named, name, owner, { ...place, ids: place.own }) as Variables
    const inner = Object.values(named.getFields())
    for (const value of withIds(inner, named.name, { ...needed, ...one }, place, depth + 1)) {
      yield { ...base, [name]: (isListed(type) ? [value] : value) as Json }
    }
  }
}

const isListed = (type: GraphQLInputType) => isListType(isNonNullType(type) ? type.ofType : type)

/** Calls with a field that an input does not have, one for each input of the arguments. */
export function callsWithUnheard(field: Field, ids: Ids): Variables[] {
  return [...withUnheard(field.args, makeVariables(field, ids), { field, ids, own: ids })]
}

function* withUnheard(fields: Arguments, base: Variables, place: Place): Generator<Variables> {
  for (const { name, type } of fields) {
    const named = getNamedType(type)
    if (!isInputObjectType(named)) continue
    const [one = {}] = [base[name] ?? makeInput(named, name, '', place)].flat() as Variables[]
    const inner = Object.values(named.getFields()).filter((field) => isNonNullType(field.type))
    for (const value of [{ ...one, unheard: 1 }, ...withUnheard(inner, one, place)]) {
      yield { ...base, [name]: (isListed(type) ? [value] : value) as Json }
    }
  }
}

/** The text of a call with these variables, and with more arguments. */
export function formatCall(
  kind: Kind,
  field: Field,
  given: Variables,
  selection: string,
  more: readonly string[] = [],
): string {
  const used = field.args.filter(({ name }) => name in given)
  const heads = used.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const args = [...used.map(({ name }) => `${name}: $${name}`), ...more].join(', ')
  return `${kind}${heads && `(${heads})`} { ${field.name}${args && `(${args})`}${selection} }`
}

/** All scalars of what a field answers, and of what lies right below it. */
export function selectAll({ type }: Field, depth = 0): string {
  const named = getNamedType(type)
  if (isUnionType(named)) return ' { __typename }'
  if (!isObjectType(named)) return ''
  const parts = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.some((argument) => isNonNullType(argument.type))) return []
    if (isObjectType(getNamedType(field.type)) && depth === 1) return []
    return [`${field.name}${selectAll(field, depth + 1)}`]
  })
  return ` { ${parts.length === 0 ? '__typename' : parts.join(' ')} }`
}

/** As little as a field may be asked for. */
export function selectLeast({ type }: Field): string {
  const named = getNamedType(type)
  return isObjectType(named) || isUnionType(named) ? ' { __typename }' : ''
}

/** A field that lies in others, from one of Query on. */
export type Nested = { readonly root: Field; readonly path: readonly Field[] }

/** All fields of other types than the root types that ask for something. */
export function nestedFields(isWanted: (field: Field) => boolean): Field[] {
  const roots = ['Query', 'Mutation', 'Subscription']
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !/^__/.test(type.name) && !roots.includes(type.name))
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
    .filter(isWanted)
}

/** The two shortest ways to a field that ask for no other field with its permission. */
export function waysTo(wanted: Field): Nested[] {
  const avoided = readPermission(wanted)
  const isOpen = (field: Field) => avoided === undefined || readPermission(field) !== avoided
  let ways: Nested[] = listFields('query')
    .filter(isOpen)
    .map((root) => ({ root, path: [] }))
  const found: Nested[] = []
  for (let depth = 0; depth < 4 && found.length < 2; depth += 1) {
    const longer = ways.flatMap(({ root, path }) => {
      const type = getNamedType((path.at(-1) ?? root).type)
      const fields = isObjectType(type) ? Object.values(type.getFields()) : []
      return fields.map((field) => ({ root, path: [...path, field] }))
    })
    found.push(...longer.filter(({ path }) => path.at(-1) === wanted))
    ways = longer.filter(({ path }) => {
      const end = path.at(-1)
      return end?.args.every(({ type }) => !isNonNullType(type)) && isOpen(end)
    })
  }
  return found.slice(0, 2)
}

/** The text that asks for a field in its place, with these arguments. */
export function nestedCall(
  { root, path }: Nested,
  given: Variables,
  more: readonly string[] = [],
): string {
  const wanted = path.at(-1)
  if (wanted === undefined) return formatCall('query', root, given, selectLeast(root), more)
  const outer = path.slice(0, -1).map(({ name }) => ` { ${name}`)
  const args = more.length === 0 ? '' : `(${more.join(', ')})`
  const end = `${selectLeast(wanted)}${' }'.repeat(path.length)}`
  return formatCall('query', root, given, `${outer.join('')} { ${wanted.name}${args}${end}`)
}
