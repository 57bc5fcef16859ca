import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ScriptValue } from '../../src/scripting/index.ts'
import { waitMsMax } from './bounds.ts'
import { type Answered, assertStatus, type SolutionsBench, solutionsBench } from './solutions.ts'

/** A business with its solutions, as an administrator of it works on them. */
export type Owner = {
  readonly businessId: string
  readonly token: string
}

type Definition = Readonly<Record<string, unknown>>

/** An instance on which solutions expose themselves, subscribe, and run scripts. */
export type InterfaceBench = SolutionsBench & {
  readonly owner: Owner
  /** Makes a solution. */
  solution(id: string, owner?: Owner): Promise<void>
  /** Exposes a solution, whatever that breaks; its configuration as it is stored. */
  expose(id: string, definition: Definition, owner?: Owner): Promise<Definition>
  /** The answer to the same, where nothing may break. */
  tryExpose(id: string, definition: Definition, owner?: Owner): Promise<Answered>
  /** Gives a solution a service, and the subscription's id. */
  subscribe(id: string, service: string, body?: Definition, owner?: Owner): Promise<string>
  trySubscribe(id: string, service: string, body?: Definition, owner?: Owner): Promise<Answered>
  /** Writes a handler: `put('pump', 'interface_ping', 'return 1')`. */
  put(id: string, name: string, source: string, owner?: Owner): Promise<void>
  /** Runs a piece of Lua in a solution; `arg` is what it is given. What it returned. */
  run(id: string, source: string, argument?: ScriptValue, owner?: Owner): Promise<ScriptValue>
}

export async function interfaceBench(
  t: Pick<TestContext, 'after'>,
  options?: Parameters<typeof solutionsBench>[1],
): Promise<InterfaceBench> {
  const bench = await solutionsBench(t, options)
  const { ask, millrace } = bench
  const owner = { businessId: millrace.businessId, token: millrace.token }

  async function put(id: string, name: string, source: string, who = owner): Promise<void> {
    const path = `/solution/${id}/script/${name}`
    assertStatus(await ask('PUT', path, { source }, who.token), 200)
  }

  const configure = (id: string, body: Definition, who: Owner) =>
    ask('POST', `/solution/${id}/serviceconfig`, body, who.token)

  async function configureInterface(
    id: string,
    definition: Definition,
    who: Owner,
    query: string,
  ): Promise<Answered> {
    const list = await ask('GET', `/solution/${id}/serviceconfig`, undefined, who.token)
    const known = list.json.items.find((one: Definition) => one.service === 'interface')
    if (known === undefined) return configure(id, { service: 'interface', ...definition }, who)
    const path = `/solution/${id}/serviceconfig/${known.id}${query}`
    return ask('PUT', path, definition, who.token)
  }

  return {
    ...bench,
    owner,
    put,
    tryExpose: (id, definition, who = owner) => configureInterface(id, definition, who, ''),
    async solution(id, who = owner) {
      assertStatus(await ask('POST', '/solution', { id, name: id }, who.token), 201)
    },
    async expose(id, definition, who = owner) {
      const query = '?allow_breaking=true'
      const { status, json } = await configureInterface(id, definition, who, query)
      assert.ok(status === 200 || status === 201, JSON.stringify(json))
      return json.parameters
    },
    async subscribe(id, service, body = {}, who = owner) {
      const added = await configure(id, { service, ...body }, who)
      assertStatus(added, 201)
      return added.json.id
    },
    trySubscribe: (id, service, body = {}, who = owner) => configure(id, { service, ...body }, who),
    async run(id, source, argument, who = owner) {
      await put(id, 'test_go', source, who)
      const { calls } = millrace.platform.scripting
      const call = { businessId: who.businessId, solutionId: id, service: 'test', event: 'go' }
      const ended = await calls.run({ ...call, argument })
      assert.equal(ended.kind, 'returned', JSON.stringify(ended))
      return plain(ended.kind === 'returned' ? ended.value : undefined)
    },
  }
}

/** Without the prototypes that a script's objects do not have. */
export function plain(value: ScriptValue): ScriptValue {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** Asks until an answer is what is waited for. */
export async function until<Value>(
  ask: () => Promise<Value>,
  isIt: (value: Value) => boolean,
): Promise<Value> {
  const deadlineMs = Date.now() + waitMsMax
  for (;;) {
    const value = await ask()
    if (isIt(value)) return value
    assert.ok(Date.now() < deadlineMs, `still ${JSON.stringify(value)}`)
  }
}
