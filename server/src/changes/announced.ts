import type { Changes } from './changes.ts'
import type { ChangeTopic } from './topics.ts'

/** The first argument of what changes something: a business, or who acts or looks in it. */
type Place = string | { readonly businessId: string }

type Run = (...args: unknown[]) => unknown

/**
 * The module whose named functions publish that something of a topic has changed, once they have
 * succeeded. Each takes the business as its first argument, or something of it.
 */
export function announced<Module extends object>(
  changes: Pick<Changes, 'publish'>,
  topic: ChangeTopic,
  module: Module,
  names: readonly (keyof Module & string)[],
): Module {
  const made = new Map<PropertyKey, unknown>()
  const publishing = new Set<PropertyKey>(names)
  const make = (name: PropertyKey): unknown => {
    const value = Reflect.get(module, name) as unknown
    if (typeof value !== 'function') return value
    const run = value.bind(module) as Run
    return publishing.has(name) ? publishingBy(run) : run
  }
  const publishingBy =
    (run: Run): Run =>
    async (...args) => {
      const result = await run(...args)
      const [first] = args as [Place]
      changes.publish(typeof first === 'string' ? first : first.businessId, topic)
      return result
    }
  return new Proxy(module, {
    get(_, name) {
      if (!made.has(name)) made.set(name, make(name))
      return made.get(name)
    },
  })
}
