import type { Platform } from '../../../server/src/platform/platform.ts'
import type { Operation, ScriptValue } from '../../../server/src/scripts/scripting/index.ts'

/** Solutions for benches, made as operators make them. */

export type Handlers = Readonly<Record<string, string>>

/** @param handlers the bodies by name: `device2_event`. */
export async function makeSolution(
  platform: Platform,
  businessId: string,
  id: string,
  handlers: Handlers,
): Promise<void> {
  const { solutions, scripts } = platform.scripting
  await solutions.create(businessId, { id, name: id })
  for (const [name, source] of Object.entries(handlers)) {
    await scripts.put(businessId, id, { kind: 'handler', name }, source)
  }
}

/** A service of the bench's own that every solution has. */
export function registerService(
  { scripting }: Platform,
  name: string,
  operations: Readonly<Record<string, Operation>>,
): void {
  scripting.api.services.register({
    ...{ name, always: true, events: [] },
    operation: (wanted) => operations[wanted],
    configure: async () => ({ alias: name, parameters: {} }),
  })
}

const reading = {
  title: 'reading',
  type: 'object',
  required: ['identity', 'celsius'],
  properties: {
    identity: { type: 'string' },
    celsius: { type: 'number', minimum: -273 },
    site: { type: 'string', default: 'north' },
  },
}

const judged = {
  type: 'object',
  required: ['fahrenheit', 'alarm'],
  properties: { fahrenheit: { type: 'number' }, alarm: { type: 'boolean' } },
}

export const judge =
  'return {fahrenheit = reading.celsius * 1.8 + 32, alarm = reading.celsius > 90}'

/** Exposes a solution with the operation `judge`, and gives it to another one with a quota. */
export async function joinByInterface(
  platform: Platform,
  businessId: string,
  [exposed, subscriber]: readonly [string, string],
  script: string,
): Promise<void> {
  const { configurations } = platform.scripting
  const operation = { name: 'judge', script, parameters: reading, response: judged }
  const body = { default_script_key: 'Judge', name: 'Judge', operations: [operation] }
  await configurations.add(businessId, exposed, { service: 'interface', alias: undefined, body })
  const wanted = { service: exposed, alias: undefined, body: {} }
  const { id } = await configurations.add(businessId, subscriber, wanted)
  const quota = { calls_daily: 1_000_000_000 }
  await platform.interfaces.subscribers.set(businessId, exposed, id, { quota })
}

/** Runs the handler `bench_go`. @throws Error where it does not return. */
export async function runHandler(
  { scripting }: Platform,
  businessId: string,
  solutionId: string,
  argument: ScriptValue,
): Promise<ScriptValue> {
  const call = { businessId, solutionId, service: 'bench', event: 'go', argument }
  const ended = await scripting.api.run(call)
  if (ended.kind !== 'returned') throw new Error(ended.error.error)
  return ended.value
}
