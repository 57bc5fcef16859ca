import { type Answer, loadOperation, type Operation, type OperationId } from './call.ts'
import type { Command, Context, Entry, Option, Options, Values } from './command.ts'
import { wholeNumber } from './input.ts'
import { columns } from './output/output.ts'
import { deletionOptions, showPreview } from './output/preview.ts'

/** The name of the values that are the whole body, as a file has them. */
export const wholeBody = '*'

/** Turns what a person gives into what the API takes. @throws UsageError */
export type Read = (option: string, text: string, context: Context) => unknown

/** An option in words: its sentence alone, where its name and type are those of the API. */
export type OptionWords = Option & {
  /** The name of the value in the API; `a.b`: the field b of the value a; `wholeBody`: all fields. */
  readonly as?: string
  /** Reads it, if the type in the API does not say how. */
  readonly read?: Read
  /** Reads it also if it is not given: a secret, which is asked for. */
  readonly take?: (option: string, text: string | undefined, context: Context) => unknown
  /** The operations that this calls. */
  readonly calls?: OperationId
}

/** The texts of a command line by the names of options, for sentences about them. */
export type Given = Readonly<Record<string, string | undefined>>

/** A sentence in which `{name}` stands for what the option of that name has. */
type Sentence = string | ((given: Values<Options>) => string)

/** The words and functions that a command adds to its operation of the API. */
export type Words<Data> = {
  readonly summary?: string
  readonly example: string
  readonly options?: Readonly<Record<string, string | OptionWords>>
  /** Default: the option for the only value in the path, unless it is looked up. */
  readonly operand?: string
  readonly secondOperand?: string
  /** Looks at the options before any file is read. @throws UsageError */
  check?(given: Given): void
  /** The values of the API, where they are not those of the options one by one. */
  arguments?(read: Readonly<Record<string, unknown>>): object
  /** Asked before it is done. */
  readonly confirm?: Sentence
  /** The operation that lists the dependants of the item to delete. */
  readonly preview?: OperationId
  /** Printed for people when it is done. */
  readonly done?: Sentence
  /** The same as a remark. */
  readonly noted?: Sentence
  /** The part of the answer that is printed as JSON. Default: all of it. */
  data?(answer: Data): unknown
  /** The lines of the answer. */
  lines?(answer: Data, given: Given): readonly string[]
  /** Remarks about the answer. */
  notes?(answer: Data): readonly string[]
  /** The exit code, if it is not 0 at each good answer. */
  code?(answer: Data): number | undefined
}

/** A command that calls an operation of the API and prints its answer. */
export function operation<const Id extends OperationId>(id: Id, words: Words<Answer<Id>>): Entry {
  return toEntry(id, words as Words<unknown>)
}

type Item<List> = List extends readonly (infer One)[] ? One : never

/** The words of a list, whose items are printed as cells of a table or as lines. */
type ListWords<List> = Omit<Words<unknown>, 'lines' | 'data' | 'done' | 'noted'> & {
  row?(item: Item<List>): readonly string[]
  line?(item: Item<List>): string
}

/** A command that prints the list in a field of an answer. */
export function list<const Id extends OperationId, const Key extends keyof Answer<Id> & string>(
  id: Id,
  key: Key,
  { row, line, ...words }: ListWords<Answer<Id>[Key]>,
): Entry {
  const data = (answer: unknown) => (answer as Answer<Id>)[key] as Item<Answer<Id>[Key]>[]
  const lines = (answer: unknown) =>
    row === undefined
      ? data(answer).map((item) => line?.(item) ?? String(item))
      : columns(data(answer).map(row))
  return toEntry(id, { ...words, data, lines })
}

function toEntry(id: OperationId, words: Words<unknown>): Entry {
  const { summary } = words
  const named = summary === undefined ? {} : { summary }
  return { ...named, load: async () => makeCommand(await loadOperation(id), id, words) }
}

/** Options of values in a path that many operations have. */
const usual: Options = {
  connector: {
    meaning: 'The id of the connector, the first label of its host.',
    required: true,
  },
  solution: { meaning: 'The id of the solution.', required: true },
  identity: { meaning: 'The identity.', required: true },
}

type Places = Readonly<Record<string, OptionWords>>

function makeCommand(place: Operation, id: OperationId, words: Words<unknown>): Command {
  const { secondOperand, example, preview, options = {} } = words
  const given = Object.entries(options).map(([name, one]) => {
    return [name, toOption(place, name, one)] as const
  })
  const named = new Set(given.map(([name, { as = name }]) => as))
  const inPath = [...place.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => {
    return named.has(name) || usual[name] === undefined ? [] : [[name, usual[name]] as const]
  })
  const places: Places = Object.fromEntries([...inPath, ...given])
  const ofBusiness = place.path.includes('{business}') && !named.has('business')
  const { confirm, ...dry } = deletionOptions
  const operand = words.operand ?? findOperand(place, given)
  return {
    options: {
      ...places,
      ...(preview !== undefined && place.query?.confirm !== undefined && { confirm }),
      ...(preview !== undefined && dry),
    },
    ...(operand !== undefined && { operand }),
    ...(secondOperand !== undefined && { secondOperand }),
    example,
    routes: [
      ...(ofBusiness ? ['getCaller'] : []),
      ...given.flatMap(([, { calls }]) => calls ?? []),
      ...[id, ...(preview === undefined ? [] : [preview])],
    ],
    run: (values, context) =>
      runOperation({ place, id, words, places, ofBusiness }, values, context),
  }
}

/** The option for the only value in the path, which may be given as an operand. */
function findOperand({ path }: Operation, given: readonly (readonly [string, OptionWords])[]) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const [only, ...others] = inPath.filter((name) => name !== 'business' || inPath.length === 1)
  const isPlain = only !== undefined && others.length === 0 && usual[only] === undefined
  const found = given.find(([, { as, calls }]) => as === only && calls === undefined)
  return isPlain ? found?.[0] : undefined
}

/** The type of the API says what the words leave out. */
function toOption(place: Operation, name: string, words: string | OptionWords): OptionWords {
  const given = typeof words === 'string' ? { meaning: words } : words
  const { as = name.replaceAll('-', '_'), read, take } = given
  const [root = ''] = as.split('.')
  const field = place.query?.[root] ?? place.body?.[root]
  const inPath = place.path.includes(`{${as}}`)
  const isPlain = read === undefined && take === undefined && !as.includes('.')
  const isRequired =
    inPath || (field?.required && take === undefined && given.default === undefined)
  return {
    ...(isPlain && field?.type === 'boolean' && { flag: true }),
    ...(isPlain && field?.type === 'array' && { many: true }),
    ...(isPlain && /integer|number/.test(field?.type ?? '') && { read: wholeNumber }),
    ...(isRequired && field?.type !== 'array' && { required: true }),
    ...given,
    as,
  }
}

type Made = {
  readonly place: Operation
  readonly id: OperationId
  readonly words: Words<unknown>
  readonly places: Places
  readonly ofBusiness: boolean
}

async function runOperation(
  { place, id, words, places, ofBusiness }: Made,
  values: Values<Options>,
  context: Context,
): Promise<number | undefined> {
  const { confirm, preview, data, done, noted, lines, notes, code } = words
  const { call, out } = context
  await context.client()
  words.check?.(values as Given)
  const business = ofBusiness ? (await call('getCaller')).business : undefined
  const read = await readArguments(places, place, values, context)
  const given: Record<string, unknown> = { ...(words.arguments?.(read) ?? read) }
  if (business !== undefined) given.business = business.id
  if (preview !== undefined && values['dry-run']) {
    showPreview(out, (await call(preview, pickPath(place, given) as never)) as never)
    return undefined
  }
  const shown = { ...values, business: business?.name }
  if (confirm !== undefined) await context.confirm(formatSentence(confirm, shown))
  if (preview !== undefined && values.confirm !== undefined) given.confirm = values.confirm
  const { [wholeBody]: body, ...rest } = given
  const answer: unknown = await call(id, rest as never, body)
  if (done !== undefined) out.print(formatSentence(done, shown))
  else if (noted !== undefined) out.note(formatSentence(noted, shown))
  else {
    const printed = data === undefined ? answer : data(answer)
    out.show(printed, () => lines?.(answer, shown as Given) ?? [])
  }
  for (const note of [...(notes?.(answer) ?? []), ...moreNotes(answer)]) out.note(note)
  return code?.(answer)
}

/** The values of the options, by the names of the API. */
async function readArguments(
  places: Places,
  place: Operation,
  values: Values<Options>,
  context: Context,
): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = {}
  for (const [name, words] of Object.entries(places)) {
    const { as = name } = words
    const value = await readValue(name, words, values[name] as Value, context)
    const isNothing = value === undefined || (Array.isArray(value) && value.length === 0)
    const [root = '', field] = as.split('.')
    if (isNothing && !(place.body?.[root]?.required && Array.isArray(value))) continue
    if (field === undefined) given[as] = value
    else given[root] = { ...(given[root] as object), [field]: value }
  }
  return given
}

type Value = string | boolean | readonly string[] | undefined

function readValue(name: string, words: OptionWords, value: Value, context: Context): unknown {
  const { read, take } = words
  if (take !== undefined) return take(name, value as string | undefined, context)
  if (value === undefined || value === false) return undefined
  if (read === undefined) return value
  if (Array.isArray(value)) return Promise.all(value.map((one) => read(name, one, context)))
  return read(name, String(value), context)
}

function pickPath({ path }: Operation, given: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => path.includes(`{${name}}`)))
}

function formatSentence(sentence: Sentence, given: Readonly<Record<string, unknown>>): string {
  if (typeof sentence !== 'string') return sentence(given as Values<Options>)
  return sentence.replaceAll(/\{([a-z-]+)\}/g, (_, name: string) => String(given[name]))
}

/** The remark for an answer that is a page with more pages behind it. */
function moreNotes(answer: unknown): string[] {
  const { mayLoadMore, cursor } = (answer ?? {}) as Readonly<Record<string, unknown>>
  const hasMore = mayLoadMore === true || cursor !== undefined
  return hasMore ? ['There are more; --limit shows them.'] : []
}
