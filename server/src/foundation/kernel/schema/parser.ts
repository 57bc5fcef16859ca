import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Fault } from '../errors.ts'
import { convertFromLua } from './from-lua.ts'
import { errorsIn } from './narrow.ts'
import { toNode } from './node.ts'
import { formatErrors, type Wording } from './sentence.ts'

/** @throws Fault `invalid_argument` with a sentence that names the field and its rule. */
export type Parser<Value> = (value: unknown) => Value

/** The words of refused arguments; a service may have others. */
export type ArgumentsWording = Partial<Wording>

const luaWording: Wording = {
  name: 'the argument',
  objectRule: 'must be a table with names',
  firstIndex: 1,
  unknownField: (name) => `there is no argument ${name}`,
}

/** Creates the check of the arguments of an operation that scripts call. */
export function createArgumentsParser<Schema extends TSchema>(
  schema: Schema,
  wording: ArgumentsWording = {},
): Parser<Static<Schema>> {
  const convert = convertFromLua(toNode(schema))
  const parse = createParser(schema, { ...luaWording, ...wording })
  return (args) => parse(convert === undefined ? args : convert(args ?? {}))
}

/**
 * Creates the check of settings, or of the part of them at `path`. The schema is created when it is
 * first used, since it may hold limits that an operator sets.
 */
export function createSettingsParser<Schema extends TSchema>(
  create: () => Schema,
  name: string,
  path = name,
): Parser<Static<Schema>> {
  const parser = lazy(() =>
    createParser(create(), {
      name,
      path,
      objectRule: 'must be an object',
      firstIndex: 0,
      unknownField: (field, place) => `${place} has no field ${JSON.stringify(field)}`,
    }),
  )
  return (value) => parser()(value)
}

/** Creates a check that compiles its schema when it is first used. */
export function createParser<Schema extends TSchema>(
  schema: Schema,
  wording: Wording,
): Parser<Static<Schema>> {
  const validator = lazy(() => Compile(schema))
  return (value) => {
    if (validator().Check(value)) return value as Static<Schema>
    const errors = errorsIn(schema, value, (part) => validator().Errors(part))
    throw new Fault('invalid_argument', formatErrors(toNode(schema), errors, wording))
  }
}

function lazy<Value>(create: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= create()
    return value
  }
}
