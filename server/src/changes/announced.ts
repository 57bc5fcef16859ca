import type { Changes } from './changes.ts'
import type { ChangeTopic } from './topics.ts'

/** The first argument of what changes something: a business, or who acts or looks in it. */
type Place = string | { readonly businessId: string }

type Run = (...args: unknown[]) => unknown

/**
 * The module whose named functions tell that something of a topic has changed, once they have
 * succeeded. Each takes the business as its first argument, or something of it.
 */
export function announced<Module extends object>(
  changes: Pick<Changes, 'tell'>,
  topic: ChangeTopic,
  module: Module,
  names: readonly (keyof Module & string)[],
): Module {
  const made = new Map<PropertyKey, unknown>()
  const telling = new Set<PropertyKey>(names)
  const make = (name: PropertyKey): unknown => {
    const value = Reflect.get(module, name) as unknown
    if (typeof value !== 'function') return value
    const run = value.bind(module) as Run
    return telling.has(name) ? tellingBy(run) : run
  }
  const tellingBy =
    (run: Run): Run =>
    async (...args) => {
      const result = await run(...args)
      const [first] = args as [Place]
      changes.tell(typeof first === 'string' ? first : first.businessId, topic)
      return result
    }
  return new Proxy(module, {
    get(_, name) {
      if (!made.has(name)) made.set(name, make(name))
      return made.get(name)
    },
  })
}
