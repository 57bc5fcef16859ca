import { channel } from 'node:diagnostics_channel'
import type { Static, TObject, TSchema } from 'typebox'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { isJsonObject } from '../text/json.ts'
import type { StaticResult } from './build.ts'
import { leastValue } from './least-value.ts'
import { type ArgumentsWording, createArgumentsParser, type Parser } from './parser.ts'

/** The contract of an operation that scripts call. */
export type OperationSchema = {
  /** A line for the reference. */
  readonly description: string
  readonly args: TObject
  /** An argument that there is not is refused: to pass it over would lose what it says. */
  readonly strict?: true
  /** All that the operation may return; a failure is an error object instead. */
  readonly result: TSchema
  /** It changes nothing, or nothing with such arguments. Without it, any call may. */
  readonly reads?: true | ((args: unknown) => boolean)
  /** It is no longer served; a sentence says what takes its place. */
  readonly superseded?: string
}

/** The effect of an operation that is not called: a replay makes no changes. */
export type OperationEffect = {
  /** Returns true if a call with these arguments changes nothing. */
  reads(args: unknown): boolean
  /** Returns the least value that its result may be. */
  answer(): unknown
}

/** The operations of a service by their names. */
export type OperationSchemas = Readonly<Record<string, OperationSchema>>

/** The code of each operation. `Call` has the caller. */
export type Implementation<Call, Schemas extends OperationSchemas> = {
  readonly [Name in keyof Schemas]: (
    call: Call,
    args: Static<Schemas[Name]['args']>,
  ) => Promise<StaticResult<Schemas[Name]['result']>>
}

/**
 * The operations of a service, with the checks of their arguments. The schemas are created when
 * they are first used, since they may hold limits that an operator sets.
 */
class Operations<Schemas extends OperationSchemas> {
  readonly #create: () => Schemas
  readonly #wording: ArgumentsWording
  readonly #parsers = new Map<string, Parser<unknown>>()
  #schemas: Schemas | undefined

  constructor(create: () => Schemas, wording: ArgumentsWording) {
    this.#create = create
    this.#wording = wording
  }

  get schemas(): Schemas {
    this.#schemas ??= this.#create()
    return this.#schemas
  }

  /** Without `unknown` an argument that there is not is refused. @throws Fault invalid_argument */
  parse<Name extends keyof Schemas & string>(
    name: Name,
    args: unknown,
    unknown?: (path: string) => void,
  ): Static<Schemas[Name]['args']> {
    let parse = this.#parsers.get(name)
    if (parse === undefined) {
      const schema = this.schemas[name] as OperationSchema
      parse = createArgumentsParser(schema.args, this.#wording)
      this.#parsers.set(name, parse)
    }
    try {
      return parse(args) as Static<Schemas[Name]['args']>
    } catch (error) {
      const { args: schema, strict } = this.schemas[name] as OperationSchema
      const isRefused = error instanceof Fault && error.code === 'invalid_argument'
      if (!isRefused || unknown === undefined || strict || !isJsonObject(args)) throw error
      // An unknown field within an argument, or a hundred of them, is more likely a mistake.
      const { properties } = schema
      const isKnown = (one: string) => Object.hasOwn(properties, one)
      const others = Object.keys(args).filter((one) => !isKnown(one))
      if (others.length === 0 || others.length > limits.refusedFieldsNotedMax) throw error
      const known = Object.fromEntries(Object.entries(args).filter(([one]) => isKnown(one)))
      const parsed = parse(known) as Static<Schemas[Name]['args']>
      for (const one of others) unknown(one)
      return parsed
    }
  }
}

export function defineOperations<const Schemas extends OperationSchemas>(
  create: () => Schemas,
  wording: ArgumentsWording = {},
): Operations<Schemas> {
  return new Operations(create, wording)
}

/** Published for each result, so that tests compare it with its schema. */
export type OperationResult = {
  readonly operation: string
  readonly schema: TSchema
  readonly result: unknown
  /** Set by a subscriber: the call fails with it. */
  problem?: unknown
}

const results = channel('millrace.operation.result')

/** Called with an operation and an argument of it that there is not, which is passed over. */
type UnknownArgument = (operation: string, path: string) => void

type Result<Schemas extends OperationSchemas> = StaticResult<Schemas[keyof Schemas]['result']>
type Run<Call, Value> = (call: Call, args: unknown) => Promise<Value>
type Implemented<Call, Value> = Run<Call, Value> & {
  readonly effect: OperationEffect
  readonly schema: OperationSchema
}

/**
 * Returns the function that finds an operation by its name; the operation checks its arguments. A
 * call that has `unknown` passes over an argument that there is not.
 */
export function implement<Call extends object, Schemas extends OperationSchemas>(
  definition: Operations<Schemas>,
  implementation: Implementation<Call, Schemas>,
): (name: string) => Implemented<Call, Result<Schemas>> | undefined {
  const operations = new Map<string, Implemented<Call, Result<Schemas>>>()
  for (const [name, schema] of Object.entries(definition.schemas)) {
    const run = implementation[name] as Run<Call, Result<Schemas>>
    const checked: Run<Call, Result<Schemas>> = async (call, args) => {
      const { unknown } = call as { readonly unknown?: UnknownArgument }
      const note = unknown && ((path: string) => unknown(name, path))
      const result = await run(call, definition.parse(name, args, note))
      if (results.hasSubscribers) publish(name, schema, result)
      return result
    }
    operations.set(name, Object.assign(checked, { effect: toEffect(schema), schema }))
  }
  return (name) => operations.get(name)
}

function toEffect({ reads = () => false, result }: OperationSchema): OperationEffect {
  const answer = () => leastValue(result)
  return { reads: reads === true ? () => true : reads, answer }
}

function publish(operation: string, schema: OperationSchema, result: unknown): void {
  const message: OperationResult = { operation, schema: schema.result, result }
  results.publish(message)
  if (message.problem !== undefined) throw message.problem
}
