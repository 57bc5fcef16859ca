import { channel } from 'node:diagnostics_channel'
import type { Static, TObject, TSchema } from 'typebox'
import type { StaticResult } from './build.ts'
import { createArgumentsParser, type Parser } from './parser.ts'

/** The contract of an operation that scripts call. */
export type OperationSchema = {
  /** One line for the reference. */
  readonly description: string
  readonly args: TObject
  /** All that the operation may return; a failure is an error object instead. */
  readonly result: TSchema
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

/** The operations of a service, with the checks of their arguments. */
export type Operations<Schemas extends OperationSchemas> = {
  readonly schemas: Schemas
  readonly parsers: ReadonlyMap<string, Parser<unknown>>
}

export function defineOperations<const Schemas extends OperationSchemas>(
  schemas: Schemas,
): Operations<Schemas> {
  const parsers = Object.entries(schemas).map(
    ([name, { args }]) => [name, createArgumentsParser(args)] as const,
  )
  return { schemas, parsers: new Map(parsers) }
}

/** Published for each result, so that tests compare it with its schema. */
export type OperationResult = {
  readonly operation: string
  readonly schema: TSchema
  readonly result: unknown
}

const results = channel('millrace.operation.result')

type Result<Schemas extends OperationSchemas> = StaticResult<Schemas[keyof Schemas]['result']>
type Run<Call, Value> = (call: Call, args: unknown) => Promise<Value>

/** Returns the function that finds an operation by its name; the operation checks its arguments. */
export function implement<Call, Schemas extends OperationSchemas>(
  { schemas, parsers }: Operations<Schemas>,
  implementation: Implementation<Call, Schemas>,
): (name: string) => Run<Call, Result<Schemas>> | undefined {
  const operations = new Map<string, Run<Call, Result<Schemas>>>()
  for (const [name, parse] of parsers) {
    const run = implementation[name] as Run<Call, Result<Schemas>>
    operations.set(name, async (call, args) => {
      const result = await run(call, parse(args))
      if (results.hasSubscribers) publish(name, schemas[name], result)
      return result
    })
  }
  return (name) => operations.get(name)
}

function publish(operation: string, schema: OperationSchema | undefined, result: unknown): void {
  if (schema === undefined) return
  const message: OperationResult = { operation, schema: schema.result, result }
  results.publish(message)
}
