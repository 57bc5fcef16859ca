import assert from 'node:assert/strict'
import type { ScriptValue } from '../../src/scripting/index.ts'
import type { InterfaceBench } from './interface.ts'

/** A table with names, as a script has it. */
export type Table = { readonly [name: string]: ScriptValue }

/** Asks one service, in a script of the solution `pump`. */
export type ServiceCalls = {
  ask(operation: string, args?: ScriptValue): Promise<Table>
  /** Asserts that the answer is this refusal. */
  refused(operation: string, args: ScriptValue, status: number, error: RegExp): Promise<void>
}

export function serviceCalls(service: string, bench: () => InterfaceBench): ServiceCalls {
  const source = 'return murano.service_call(event.service, event.operation, event.args)'
  async function ask(operation: string, args?: ScriptValue): Promise<Table> {
    const event = { service, operation, ...(args !== undefined && { args }) }
    return (await bench().run('pump', source, event)) as Table
  }
  return {
    ask,
    async refused(operation, args, status, error) {
      const answer = await ask(operation, args)
      const said = JSON.stringify([operation, args, answer])
      assert.deepEqual([answer?.status, answer?.type], [status, 'QueryError'], said)
      assert.match(String(answer.error), error)
    },
  }
}
