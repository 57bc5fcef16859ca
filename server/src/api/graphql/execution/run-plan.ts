import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  locatedError,
  type VariableValues,
} from 'graphql'
import type { Context } from '../context.ts'
import { graphqlLimits } from '../limits.ts'
import { JsonText } from './list-plan.ts'
import type { FieldPlan, OutputPlan, QueryPlan } from './plan.ts'

type Variables = Readonly<Record<string, unknown>> | undefined
type Answer = Record<string | number, unknown>

/** An object or a list of the answer, and where it lies. */
type Place = {
  readonly parent: Place | undefined
  readonly container: Answer
  readonly key: string | number
  readonly isNullable: boolean
  /** The value was replaced by null, because of an error below it. */
  isNulled: boolean
}

/** A value that is completed: its field, and the place that it is written to. */
type Slot = {
  readonly field: FieldPlan
  readonly owner: Place
  readonly container: Answer
  readonly key: string | number
}

/**
 * Runs the plan of a query as the specification says: fields side by side, an error makes its
 * nearest nullable parent null. It does not look at an abort.
 */
export function runPlan(
  schema: GraphQLSchema,
  plan: QueryPlan,
  context: Context,
  given: Variables,
): Promise<ExecutionResult> | ExecutionResult {
  if (plan.variables.length === 0) return new PlanRun(context, undefined).run(plan)
  const variables = getVariableValues(schema, plan.variables, given ?? {}, {
    maxErrors: graphqlLimits.graphqlErrorsMax,
  })
  if (variables.errors !== undefined) return { errors: variables.errors }
  return new PlanRun(context, variables.variableValues).run(plan)
}

class PlanRun {
  readonly #context: Context
  readonly #variables: VariableValues | undefined
  readonly #args = new Map<FieldPlan, Readonly<Record<string, unknown>>>()
  readonly #errors: GraphQLError[] = []
  readonly #answer: Answer = {}
  /** Values that are awaited, and the walk that starts the run. */
  #pending = 1
  #finish: ((result: ExecutionResult) => void) | undefined

  constructor(context: Context, variables: VariableValues | undefined) {
    this.#context = context
    this.#variables = variables
  }

  run({ fields }: QueryPlan): Promise<ExecutionResult> | ExecutionResult {
    const data = {}
    this.#answer.data = data
    const root: Place = {
      parent: undefined,
      container: this.#answer,
      key: 'data',
      isNullable: true,
      isNulled: false,
    }
    this.#runFields(fields, undefined, data, root)
    this.#pending -= 1
    if (this.#pending === 0) return this.#result()
    return new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  #result(): ExecutionResult {
    const data = this.#answer.data as NonNullable<ExecutionResult['data']> | null
    return this.#errors.length === 0 ? { data } : { errors: this.#errors, data }
  }

  #runFields(fields: readonly FieldPlan[], source: unknown, object: Answer, owner: Place): void {
    for (const field of fields) {
      if (owner.isNulled) return
      const { key } = field
      try {
        this.#take(this.#resolveValue(field, source), field, field.output, object, key, owner)
      } catch (error) {
        this.#fail(error, { field, owner, container: object, key }, field.output.isNullable)
      }
    }
  }

  #resolveValue(field: FieldPlan, source: unknown): unknown {
    const { resolve } = field
    if (resolve === undefined) {
      const value = (source as Answer | undefined)?.[field.name]
      return typeof value === 'function' ? value.call(source, {}, this.#context) : value
    }
    return resolve(source as never, this.#resolveArguments(field) as never, this.#context, field)
  }

  #resolveArguments(field: FieldPlan): Readonly<Record<string, unknown>> {
    const { args } = field
    if ('values' in args) return args.values
    const known = this.#args.get(field)
    if (known !== undefined) return known
    const values = getArgumentValues(args.field, args.node, this.#variables)
    this.#args.set(field, values)
    return values
  }

  /** Writes a value, now or when it is there. */
  #take(
    value: unknown,
    field: FieldPlan,
    output: OutputPlan,
    container: Answer,
    key: string | number,
    owner: Place,
  ): void {
    if (!isPromiseLike(value)) {
      this.#complete(value, field, output, container, key, owner)
      return
    }
    // It keeps the place of its key among the others.
    container[key] = null
    this.#pending += 1
    const failed = (error: unknown) =>
      this.#fail(error, { field, owner, container, key }, output.isNullable)
    value.then(
      (settled) => {
        try {
          this.#complete(settled, field, output, container, key, owner)
        } catch (error) {
          failed(error)
        }
        this.#settle()
      },
      (error) => {
        failed(error)
        this.#settle()
      },
    )
  }

  #settle(): void {
    this.#pending -= 1
    if (this.#pending === 0) this.#finish?.(this.#result())
  }

  /** @throws what makes the value null */
  #complete(
    value: unknown,
    field: FieldPlan,
    output: OutputPlan,
    container: Answer,
    key: string | number,
    owner: Place,
  ): void {
    if (value instanceof Error) throw value
    if (value === undefined || value === null) {
      if (!output.isNullable) throw nullError(field)
      container[key] = null
      return
    }
    if (output.kind === 'leaf') {
      const leaf = coerced(value, field, output.coerce)
      if (typeof leaf !== 'number') this.#context.work.countTexts(leaf)
      container[key] = leaf
      return
    }
    if (value instanceof JsonText) {
      this.#context.work.countTexts(value.text)
      container[key] = value
      return
    }
    const { isNullable } = output
    const place: Place = { parent: owner, container, key, isNullable, isNulled: false }
    if (output.kind === 'object') {
      const object: Answer = {}
      container[key] = object
      this.#runFields(output.fields, value, object, place)
      return
    }
    if (typeof value !== 'object' || !(Symbol.iterator in value)) throw listError(field)
    const list: unknown[] = []
    container[key] = list
    this.#completeItems(value as Iterable<unknown>, field, output.item, place, list)
  }

  #completeItems(
    items: Iterable<unknown>,
    field: FieldPlan,
    output: OutputPlan,
    place: Place,
    list: unknown[],
  ): void {
    const container = list as unknown as Answer
    let index = 0
    for (const item of items) {
      if (place.isNulled) return
      try {
        this.#take(item, field, output, container, index, place)
      } catch (error) {
        this.#fail(error, { field, owner: place, container, key: index }, output.isNullable)
      }
      index += 1
    }
  }

  /**
   * Makes the value null, or the nearest parent that may be. A single error makes a parent null.
   */
  #fail(error: unknown, { field, owner, container, key }: Slot, isNullable: boolean): void {
    for (let place: Place | undefined = owner; place; place = place.parent) {
      if (place.isNulled) return
    }
    this.#errors.push(locatedError(error, field.nodes, toPath(owner, key)))
    if (isNullable) {
      container[key] = null
      return
    }
    let place = owner
    while (!place.isNullable && place.parent !== undefined) {
      place.isNulled = true
      place = place.parent
    }
    place.isNulled = true
    place.container[place.key] = null
  }
}

function toPath(owner: Place, key: string | number): (string | number)[] {
  const path = [key]
  for (let place = owner; place.parent !== undefined; place = place.parent) path.push(place.key)
  return path.reverse()
}

function coerced(value: unknown, field: FieldPlan, coerce: (value: unknown) => unknown): unknown {
  const output = coerce(value)
  if (output !== undefined && output !== null) return output
  throw new Error(`${fieldName(field)} has a value that its type makes null.`)
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}

const fieldName = ({ parentName, name }: FieldPlan) => `${parentName}.${name}`

function nullError(field: FieldPlan): Error {
  return new Error(`Cannot return null for non-nullable field ${fieldName(field)}.`)
}

function listError(field: FieldPlan): Error {
  return new GraphQLError(
    `Expected Iterable, but did not find one for field "${fieldName(field)}".`,
  )
}
