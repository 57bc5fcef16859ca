import { luaFunctions } from '../../../generated/lua-functions.ts'

/** The part of the editor's context that is used. */
type Context = {
  readonly pos: number
  /** True if the person asked for it. */
  readonly explicit: boolean
  matchBefore(pattern: RegExp): { readonly from: number; readonly text: string } | null
  readonly state: { sliceDoc(from: number, to: number): string }
}

type Option = {
  readonly label: string
  readonly type: 'function' | 'property' | 'namespace'
  readonly detail?: string
  readonly info?: string
}

type Completion = {
  readonly from: number
  readonly options: readonly Option[]
  readonly validFor: RegExp
}

type LuaFunction = (typeof luaFunctions)[number]

const names = /^\w*$/
/** The distance back in which the beginning of a call is looked for, in characters. */
const lookBack = 2_000

/** Completes services, their operations, and the arguments of the one that is called. */
export function completeLua(context: Context): Completion | null {
  const member = context.matchBefore(/[A-Za-z_]\w*\.\w*/)
  if (member !== null) {
    const table = member.text.slice(0, member.text.indexOf('.'))
    const options = memberOptions(table)
    const from = member.from + table.length + 1
    return options.length === 0 ? null : { from, options, validFor: names }
  }
  const word = context.matchBefore(/\w+/)
  if (word === null && !context.explicit) return null
  const from = word?.from ?? context.pos
  const called = calledAt(context.state.sliceDoc(Math.max(0, from - lookBack), from))
  const options = [...(called === undefined ? [] : argumentOptions(called)), ...globals]
  return { from, options, validFor: names }
}

/** The operation in whose table of arguments a text ends, at the place of a name. */
function calledAt(before: string): LuaFunction | undefined {
  const [, name] = /([A-Za-z_]\w*\.\w+)\s*\(?\s*\{(?:[^{}]*[,;])?\s*$/.exec(before) ?? []
  return luaFunctions.find((one) => one.isTable && one.name.toLowerCase() === name?.toLowerCase())
}

function argumentOptions({ args }: LuaFunction): Option[] {
  return args.map(({ name, type, isNeeded, description }) => ({
    label: name,
    type: 'property',
    detail: isNeeded ? type : `${type}?`,
    info: description,
  }))
}

/** Services are called by their name with a capital letter, or without one. */
function memberOptions(table: string): Option[] {
  const own = `${table.toLowerCase()}.`
  return luaFunctions
    .filter(({ name }) => name.toLowerCase().startsWith(own))
    .map((one) => Object.assign(toOption(one), { label: one.name.slice(own.length) }))
}

function toOption({ name, description, args, isTable }: LuaFunction): Option {
  const list = args.map((arg) => (arg.isNeeded ? arg.name : `${arg.name}?`)).join(', ')
  const detail = isTable ? `{${list}}` : `(${list})`
  return { label: name, type: 'function', detail, ...(description && { info: description }) }
}

const globals: readonly Option[] = [
  ...[...new Set(luaFunctions.filter(isMember).map(tableName))].map((label) => ({
    label,
    type: 'namespace' as const,
  })),
  ...luaFunctions.filter((one) => !isMember(one)).map(toOption),
]

function isMember({ name }: LuaFunction): boolean {
  return name.includes('.')
}

function tableName({ name }: LuaFunction): string {
  return name.slice(0, name.indexOf('.'))
}
