import { UsageError } from '../command.ts'
import type { Input } from '../input.ts'

/** The options with which values of a module's parameters are given. */
export const parameterOptions = {
  set: {
    meaning: 'A value of a parameter, name=value; name= removes it. May be given several times.',
    many: true,
  },
  'secret-file': {
    meaning: 'A file with the value of a parameter, name=file; - is the standard input.',
    many: true,
  },
} as const

export type ParameterOptionValues = {
  readonly set: readonly string[]
  readonly 'secret-file': readonly string[]
}

type Declaration = { readonly name: string; readonly type: string }

/** The values that the options give, of the types that the module declares. @throws UsageError */
export async function readParameters(
  input: Input,
  declared: readonly Declaration[],
  { set, 'secret-file': files }: ParameterOptionValues,
): Promise<Record<string, unknown>> {
  const values = new Map<string, unknown>()
  for (const pair of set) {
    const [name, text] = split('set', pair)
    const type = declared.find((one) => one.name === name)?.type ?? 'string'
    values.set(name, text === '' ? null : valueOfType(name, type, text))
  }
  for (const pair of files) {
    const [name, file] = split('secret-file', pair)
    values.set(name, await input.readSecret('secret-file', file))
  }
  return Object.fromEntries(values)
}

function split(option: string, pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)]
  throw new UsageError(`--${option} is of the form name=value`)
}

function valueOfType(name: string, type: string, text: string): unknown {
  if (type === 'string') return text
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    throw new UsageError(`--set ${name} is true or false`)
  }
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw new UsageError(`--set ${name} is a number`)
}
