import type { Transaction } from '../database/index.ts'
import type { Changes, SeenIn } from './changes.ts'
import type { ChangeTopic } from './topics.ts'

/** The first argument of what changes something: a business, or who acts or looks in it. */
type Place = string | { readonly businessId: string }

type Run = (...args: unknown[]) => Promise<unknown>

/**
 * Called with the arguments before the change, so that the groups of what is moved away can be
 * read; what it returns is called with the result, once that is committed.
 */
type Seen = (...args: never[]) => SeenAfter<never> | Promise<SeenAfter<never>>
type SeenAfter<Result> = (result: Result) => SeenIn | Promise<SeenIn>

type SeenOf<Method> = Method extends (...args: infer Args) => Promise<infer Result>
  ? (...args: Args) => SeenAfter<Result> | Promise<SeenAfter<Result>>
  : never

/** Functions of a module by their names, with the groups in which their changes are seen. */
type Placed<Module> = { readonly [Name in keyof Module]?: SeenOf<Module[Name]> }

/**
 * The module whose named functions publish that something of a topic has changed, once they have
 * succeeded, and the transaction that they were given is committed. Each takes the business as its
 * first argument, or something of it. What is named in a list is shown to callers of all groups
 * alone.
 */
export function announced<Module extends object>(
  changes: Pick<Changes, 'publish'>,
  topic: ChangeTopic,
  module: Module,
  names: readonly (keyof Module & string)[] | Placed<Module>,
): Module {
  const made = new Map<PropertyKey, unknown>()
  const publishing = new Map<PropertyKey, Seen | undefined>(
    Array.isArray(names)
      ? names.map((name) => [name, undefined])
      : (Object.entries(names) as [string, Seen][]),
  )
  const make = (name: PropertyKey): unknown => {
    const value = Reflect.get(module, name) as unknown
    if (typeof value !== 'function') return value
    const run = value.bind(module) as Run
    return publishing.has(name) ? publishingBy(run, publishing.get(name)) : run
  }
  const publishingBy =
    (run: Run, seen: Seen | undefined): Run =>
    async (...args) => {
      const seenAfter = await seen?.(...(args as never[]))
      const result = await run(...args)
      const [first] = args as [Place]
      const businessId = typeof first === 'string' ? first : first.businessId
      const seenIn = seenAfter && (async () => seenAfter(result as never))
      afterCommit(args, () => changes.publish(businessId, topic, seenIn))
      return result
    }
  return new Proxy(module, {
    get(_, name) {
      if (!made.has(name)) made.set(name, make(name))
      return made.get(name)
    },
  })
}

/** Runs it when the transaction among the arguments is committed; at once if there is none. */
function afterCommit(args: readonly unknown[], publish: () => void): void {
  const transaction = args.find(isTransaction)
  if (transaction === undefined) publish()
  else transaction.afterCommit(publish)
}

function isTransaction(arg: unknown): arg is Transaction {
  return typeof arg === 'object' && arg !== null && 'afterCommit' in arg
}
