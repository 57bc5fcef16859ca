import { invalidField, Type } from '../../../foundation/kernel/index.ts'

/** The spec's script key, which a solution's scripts use as a name. */
const shape = /^(?![0-9])[a-zA-Z0-9]{2,63}$/

const keywords =
  'and break do else elseif end false for function goto if in local nil not or repeat return ' +
  'then true until while'

/** The names that scripts have already. */
const globals =
  'assert bench bit bit32 collectgarbage context coroutine error getmetatable ipairs json load ' +
  'loadstring log math module murano next os pairs pcall print rawequal rawget rawlen rawset ' +
  'request require response select setfenv getfenv setmetatable string table tonumber tostring ' +
  'type unpack utf8 xpcall'

const reserved = new Set(`${keywords} ${globals}`.split(' '))

/** The rule that a script key breaks; undefined if scripts can call a service so. */
function refuseAlias(alias: string): string | undefined {
  if (!shape.test(alias)) return 'must be 2 to 63 letters and digits, the first one a letter'
  const isFree = !reserved.has(alias) && !reserved.has(lowerFirst(alias))
  return isFree ? undefined : `${alias} is a word of the scripts' language`
}

/** The name of a service in scripts. */
export const aliasSchema = Type.Refine(
  Type.String({ description: 'Its name in scripts; that of the service if it is left out.' }),
  (alias) => refuseAlias(alias) === undefined,
  (alias) => refuseAlias(alias) ?? '',
)

/** @throws Fault invalid_argument where scripts could not call a service so. */
export function parseAlias(alias: string, field = 'script_key'): string {
  const rule = refuseAlias(alias)
  if (rule !== undefined) throw invalidField(field, rule)
  return alias
}

/** Returns whether a text can be the name of a function's parameter. */
export function isParameterName(text: string): boolean {
  return /^[a-zA-Z_]\w*$/.test(text) && !keywords.split(' ').includes(text)
}

/** Scripts may write a service with a capital letter. */
function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
