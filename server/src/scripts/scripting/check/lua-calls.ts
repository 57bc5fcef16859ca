import luaparse from 'luaparse'

/** A call of a function of a global table, as `Keystore.get({key = "a"})`. */
export type LuaCall = {
  readonly table: string
  readonly name: string
  /** Counted from the beginning of the source. */
  readonly line: number
  /** The names of its arguments; undefined where the source alone does not show them. */
  readonly arguments: readonly string[] | undefined
}

export type LuaCalls = {
  readonly calls: readonly LuaCall[]
  /** The globals that the source sets. */
  readonly globals: ReadonlySet<string>
}

/** The parts of a syntax tree that matter here; a node has what its type has. */
type Node = {
  readonly type: string
  readonly name?: string
  readonly raw?: string
  readonly isLocal?: boolean
  readonly base?: Node
  readonly identifier?: Node | null
  readonly arguments?: readonly Node[] | Node
  readonly variables?: readonly Node[]
  readonly fields?: readonly Node[]
  readonly key?: Node
  readonly loc?: { readonly start: { readonly line: number } }
}

/**
 * Finds the calls of functions of global tables. The source is read and not run. Undefined for a
 * source that is neither Lua 5.3 nor that of LuaJIT, where `goto` is a name; whether scripts may
 * hold it is for the engine.
 * @param onNode called at each part of the source that was read.
 */
export function callsInLua(source: string, onNode = () => {}): LuaCalls | undefined {
  return callsIn(source, '5.3', onNode) ?? callsIn(source, 'LuaJIT', onNode)
}

function callsIn(
  source: string,
  luaVersion: '5.3' | 'LuaJIT',
  onNode: () => void,
): LuaCalls | undefined {
  const calls: LuaCall[] = []
  const globals = new Set<string>()
  const take = (node: Node) => {
    onNode()
    if (node.type.endsWith('CallExpression')) calls.push(...readCall(node))
    for (const name of globalsSetBy(node)) globals.add(name)
  }
  const options = {
    luaVersion,
    comments: false,
    scope: true,
    locations: true,
    encodingMode: 'none',
    onCreateNode: take as (node: unknown) => void,
  } as const
  try {
    luaparse.parse(source, options)
  } catch {
    // Also nesting that is too deep for the reader.
    return undefined
  }
  return { calls, globals }
}

function readCall(node: Node): LuaCall[] {
  const { base, loc } = node
  const given = readArguments(node)
  const line = loc?.start.line ?? 1
  if (base === undefined) return []
  if (readPath(base)?.join('.') === 'murano.service_call') {
    const [table, name] = given.map(readText)
    if (table === undefined || name === undefined) return []
    return [{ table, name, line, arguments: namesIn(given.slice(2)) }]
  }
  const path = readPath(base)
  const [table, name, ...more] =
    path?.[0] === 'murano' && path[1] === 'services' ? path.slice(2) : (path ?? [])
  if (table === undefined || name === undefined || more.length > 0) return []
  return [{ table, name, line, arguments: namesIn(given) }]
}

/** `a.b` of a global as its names. */
function readPath(node: Node): string[] | undefined {
  if (node.type === 'Identifier') {
    return node.isLocal === false && node.name !== undefined ? [node.name] : undefined
  }
  if (node.type !== 'MemberExpression' || node.base === undefined) return undefined
  const before = readPath(node.base)
  const { name } = node.identifier ?? {}
  return before === undefined || name === undefined ? undefined : [...before, name]
}

/** `f{…}` and `f"…"` have one argument, beside parentheses. */
function readArguments({ arguments: given, ...node }: Node & { argument?: Node }): readonly Node[] {
  if (Array.isArray(given)) return given
  const one = (given as Node | undefined) ?? node.argument
  return one === undefined ? [] : [one]
}

/** The names of the fields of the one table that is given; also of none. */
function namesIn([given, ...more]: readonly Node[]): string[] | undefined {
  if (given === undefined) return []
  if (more.length > 0 || given.type !== 'TableConstructorExpression') return undefined
  const names = (given.fields ?? []).map(({ type, key }) => {
    if (type === 'TableKeyString') return key?.name
    return type === 'TableKey' && key !== undefined ? readText(key) : undefined
  })
  return names.every((name) => name !== undefined) ? names : undefined
}

/** A text without escapes. */
function readText({ type, raw = '' }: Node): string | undefined {
  if (type !== 'StringLiteral' || raw.includes('\\') || raw.startsWith('[')) return undefined
  return raw.slice(1, -1)
}

function globalsSetBy({ type, variables = [], identifier, isLocal }: Node): string[] {
  const set =
    type === 'AssignmentStatement'
      ? variables
      : type === 'FunctionDeclaration' && isLocal !== true && identifier
        ? [identifier]
        : []
  return set.flatMap((one) => {
    return one.type === 'Identifier' && one.isLocal === false && one.name ? [one.name] : []
  })
}
